import assert from 'node:assert/strict'
import { get, type IncomingMessage, request } from 'node:http'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { App } from 'sallyport'
import { serve } from 'sallyport/node'

import { within } from '../node/raw.ts'
import { site } from './fixture.ts'

const never = (): Promise<never> => new Promise(() => undefined)

/** Responses of a kind that ends only when the application ends it. */
class Tickers {
  readonly #open = new Set<ReadableStreamDefaultController<Uint8Array>>()

  open = (): Response => {
    let mine: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        mine = controller
        this.#open.add(controller)
        controller.enqueue(Buffer.from('begun'))
      },
      cancel: () => void (mine !== undefined && this.#open.delete(mine)),
    })
    return new Response(body)
  }

  endAll = (): void => {
    for (const controller of this.#open) controller.close()
    this.#open.clear()
  }
}

function responseOf(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => void get(url, resolve).on('error', reject))
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of message.setEncoding('utf8')) text += piece as string
  return text
}

describe('App.onClosing()', () => {
  it('runs before the drain, so that a stream ends completely and holds up nothing [PAGE-13]', async () => {
    const tickers = new Tickers()
    const app = site({ 'GET /': tickers.open }).onClosing(tickers.endAll)
    const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 20_000 })
    const message = await responseOf(server.url)
    const text = textOf(message)

    await within(10_000, server.close())

    assert.equal(await text, 'begun')
    assert.equal(message.complete, true)
  })

  it('without a hook, such a stream is cut off when the time is over [PAGE-13]', async () => {
    const server = await serve(site({ 'GET /': new Tickers().open }), {
      port: 0,
      signals: [],
      drainMilliseconds: 100,
    })
    const message = await responseOf(server.url)
    const text = textOf(message)

    await within(10_000, server.close())

    await assert.rejects(text, { code: 'ECONNRESET' })
  })

  it('runs while requests are answered, whose connections are then closed [PAGE-13]', async () => {
    const seen: unknown[] = []
    const app = site({ 'GET /': () => 'hi' })
    const server = await serve(app, { port: 0, signals: [] })
    app.onClosing(async () => {
      const response = await fetch(server.url)
      seen.push(response.status, response.headers.get('connection'), await response.text())
    })

    await server.close()

    assert.deepEqual(seen, [200, 'close', 'hi'])
  })

  it('comes before the requests in flight, and onClose() after them [PAGE-13]', async () => {
    const steps: string[] = []
    const begun = Promise.withResolvers<void>()
    const app = site({
      'GET /': async () => {
        begun.resolve()
        await pause(50)
        steps.push('answered')
        return 'hi'
      },
    })
      .onClose(() => void steps.push('closed'))
      .onClosing(() => void steps.push('closing'))
    const server = await serve(app, { port: 0, signals: [] })
    const response = fetch(server.url)
    await begun.promise

    await server.close()

    assert.equal((await response).status, 200)
    assert.deepEqual(steps, ['closing', 'answered', 'closed'])
  })

  it('runs all hooks at the same time, even if one hangs or fails, and names those [PAGE-13]', async () => {
    const steps: string[] = []
    const app = App.create()
      .onClosing(never, { milliseconds: 100 })
      .onClosing(function tellPeers() {
        throw new Error('no peers')
      })
      .onClosing(() => void steps.push('ended'))
      .onClose(() => void steps.push('closed'))

    const closing = app.close()

    await pause(1)
    assert.deepEqual(steps, ['ended'])
    await assert.rejects(closing, (error: AggregateError) => {
      assert.equal(error.errors.length, 2)
      assert.match(error.message, /tellPeers \(.*app-hooks\.test\.ts:\d+\): no peers/)
      assert.match(error.message, /it did not end within 100 ms/)
      return true
    })
    assert.deepEqual(steps, ['ended', 'closed'])
  })

  it('a hook that hangs leaves half of the time to the requests in flight [PAGE-13]', async () => {
    const begun = Promise.withResolvers<void>()
    const app = site({
      'GET /': async () => {
        begun.resolve()
        await pause(1200)
        return 'hi'
      },
    }).onClosing(never)
    const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 2000 })
    const response = fetch(server.url)
    await begun.promise

    const closing = server.close()

    await within(10_000, assert.rejects(closing, /it did not end within 1000 ms/))
    assert.equal((await response).status, 200)
  })

  it('a hook that hangs does not keep the server open for connections that come meanwhile [PAGE-13]', async () => {
    const app = site({ 'GET /': never }).onClosing(never, { milliseconds: Infinity })
    const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 200 })
    const closing = server.close()
    const late = request(server.url).on('error', () => undefined)
    late.end()

    await within(10_000, assert.rejects(closing, AggregateError))
  })

  it('ends an application once, and refuses hooks that come too late or are none [PAGE-13]', async () => {
    let runs = 0
    const app = App.create().onClosing(() => void (runs += 1))

    await Promise.all([app.close(), app.close()])

    assert.equal(runs, 1)
    assert.throws(() => app.onClosing(() => undefined), /is closing or has been closed/)
    assert.throws(() => App.create().onClosing('end' as never), TypeError)
    assert.throws(() => App.create().onClosing(() => undefined, { milliseconds: 0 }), RangeError)
  })
})

describe('a connection that is kept alive while the server closes', () => {
  it('carries the whole response to each request that an action has seen, or nothing [PAGE-13]', async () => {
    const body = 'x'.repeat(100_000)
    let seen = 0
    const server = await serve(
      site({
        'GET /': async () => {
          seen += 1
          await pause(2)
          return body
        },
      }),
      { port: 0, signals: [] },
    )
    const warm = Promise.withResolvers<void>()
    let isClosing = false
    let whole = 0
    const client = async (): Promise<void> => {
      for (;;) {
        let response: Response
        try {
          response = await fetch(server.url)
        } catch {
          assert.ok(isClosing, 'a connection fails only while the server closes')
          return
        }
        assert.equal(response.status, 200)
        assert.equal((await response.text()).length, body.length)
        whole += 1
        if (whole === 100) warm.resolve()
      }
    }
    const clients = Promise.all(Array.from({ length: 8 }, client))
    await Promise.race([warm.promise, clients])

    isClosing = true
    await within(10_000, server.close())

    await clients
    assert.equal(whole, seen)
  })
})
