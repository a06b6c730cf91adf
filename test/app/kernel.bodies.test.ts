import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { type App, eventStream, type HttpContext } from 'sallyport'
import type { Next } from 'sallyport/http'
import { serve } from 'sallyport/node'
import { exchange, open } from '../node/raw.ts'
import { type Answers, site } from './fixture.ts'

/** A body that fails after its first chunk. */
function failing(fault: unknown): ReadableStream<Uint8Array> {
  let isFirst = true
  return new ReadableStream({
    async pull(controller) {
      await turn()
      if (!isFirst) return controller.error(fault)
      isFirst = false
      controller.enqueue(Buffer.from('first'))
    },
  })
}

const ANSWERS: Answers = {
  'GET /error': () => new Response(failing(new Error('half'))),
  'GET /word': () => new Response(failing('a word')),
  'GET /nothing': () => new Response(failing(undefined)),
  'GET /text': () =>
    new Response(
      new ReadableStream<Uint8Array>({
        start: (controller) => void Reflect.apply(controller.enqueue, controller, ['no bytes']),
      }),
    ),
  'GET /piped': () => new Response(failing(new Error('half')).pipeThrough(new TransformStream())),
  'GET /events': (context) =>
    eventStream(context, async function* () {
      await turn()
      yield { data: 'first' }
      throw new Error('half')
    }),
  'GET /abort': (context: HttpContext) =>
    new Response(
      new ReadableStream({
        async pull(controller) {
          controller.enqueue(Buffer.from('x'))
          await pause(5000, undefined, { signal: context.signal })
        },
      }),
    ),
}

/** The application, and what `onError()` was told: path and error. */
function application(configure: (app: App) => unknown = () => undefined): { app: App; heard: string[] } {
  const heard: string[] = []
  const app = site(ANSWERS, { configure })
  app.onError((error, context) =>
    heard.push(`${context.path()} ${error instanceof Error ? error.message : String(error)}`),
  )
  return { app, heard }
}

async function served(t: TestContext, app: App): Promise<(path: string) => Promise<string>> {
  const server = await serve(app, { port: 0, signals: [] })
  t.after(() => server.close())
  return (path) => exchange(server.port, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
}

const EXPECTED: [string, RegExp][] = [
  ['/error', /^\/error half$/],
  ['/word', /^\/word .*a word/],
  ['/nothing', /^\/nothing .*undefined/],
  ['/text', /^\/text Cannot send a String/],
  ['/piped', /^\/piped half$/],
  ['/events', /^\/events half$/],
]

describe('a body that fails midway', () => {
  it('is reported once with its context, under serve() [PAGE-15]', async (t) => {
    const { app, heard } = application()
    const get = await served(t, app)

    for (const [path, message] of EXPECTED) {
      const received = await get(path)
      // What fails at once has not sent its head yet.
      assert.match(received, /^(?:HTTP\/1\.1 200 |$)/)
      assert.doesNotMatch(received, /\r\n0\r\n\r\n$/, `${path} looks whole`)
      assert.equal(heard.length, 1, path)
      assert.match(heard.pop() ?? '', message)
    }
  })

  it('is reported once with its context, through fetch() [PAGE-15]', async () => {
    const { app, heard } = application()

    for (const [path, message] of EXPECTED) {
      const response = await app.fetch(new Request(`http://a${path}`))
      await assert.rejects(
        response.text().then(() => Promise.reject(new Error('whole'))),
        path,
      )
      assert.equal(heard.length, 1, path)
      assert.match(heard.pop() ?? '', message)
    }
  })

  it('is reported once, whatever stands around it: middlewares, hooks for responses [PAGE-15]', async (t) => {
    const { app, heard } = application((given) => {
      given
        .middleware()
        .incoming({ process: (_context: HttpContext, next: Next) => next() })
        .outgoing({ process: (response: Response) => new Response(response.body, response) })
      given.onResponse(() => undefined)
    })
    const get = await served(t, app)

    await get('/error')
    await assert.rejects((await app.fetch(new Request('http://a/error'))).text())

    assert.deepEqual(heard, ['/error half', '/error half'])
  })

  it('is no fault when the client has left [PAGE-15]', async (t) => {
    const { app, heard } = application()
    const server = await serve(app, { port: 0, signals: [] })
    t.after(() => server.close())
    const leaving = new AbortController()

    const client = await open(server.port)
    client.write('GET /abort HTTP/1.1\r\nHost: a\r\n\r\n')
    await new Promise((resolve) => client.once('data', resolve))
    client.destroy()
    const response = await app.fetch(new Request('http://a/abort', { signal: leaving.signal }))
    const reader = response.body?.getReader()
    await reader?.read()
    const read = reader?.read()
    leaving.abort()
    await assert.rejects(read ?? Promise.resolve())
    await pause(50)

    assert.deepEqual(heard, [])
  })

  it('is an ordinary error when a middleware reads it before it is sent [PAGE-15]', async () => {
    const { app, heard } = application((given) =>
      given
        .middleware()
        .outgoing({ process: async (response: Response) => new Response(await response.text()) }),
    )

    const response = await app.fetch(new Request('http://a/error'))

    assert.equal(response.status, 500)
    assert.deepEqual(heard, ['/error half'])
  })
})
