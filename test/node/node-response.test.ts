import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { serve, type Server } from 'sallyport/node'

import { LightResponse } from '../../src/http/internal.ts'
import { type Answers, site } from '../app/fixture.ts'
import { open } from './raw.ts'

const LARGE = 20_000_000
let sixty = 0
const ANSWERS: Answers = {
  'GET /text': () => 'x'.repeat(LARGE),
  'GET /bytes': () => new Response(new Uint8Array(LARGE)),
  'GET /light': () => new LightResponse(200, new Uint8Array(LARGE), []),
  'GET /stream': () => {
    const pull = (controller: ReadableStreamDefaultController): void =>
      controller.enqueue(new Uint8Array(65_536))
    return new Response(new ReadableStream({ pull }))
  },
  'GET /waiting': () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) })),
  'GET /small': () => 'small',
  'GET /sixty': () => (sixty++, 'x'.repeat(60_000)),
}

async function serving(): Promise<Server & AsyncDisposable> {
  const server = await serve(site(ANSWERS), { port: 0, signals: [] })
  return { ...server, [Symbol.asyncDispose]: () => server.close() }
}

/** Asks for a page and takes nothing of it: both ends of the connection. */
async function ask(port: number, path: string): Promise<{ client: Socket; near: Socket }> {
  const socket = Promise.withResolvers<Socket>()
  const listen = (message: unknown): void => {
    const near =
      typeof message === 'object' && message !== null && 'socket' in message ? message.socket : null
    if (near instanceof Socket && near.localPort === port) socket.resolve(near)
  }
  subscribe('net.server.socket', listen)
  const client = await open(port)
  client.pause()
  client.on('error', () => undefined)
  client.write(`GET ${path} HTTP/1.1\r\nHost: app.test\r\n\r\n`)
  const near = await socket.promise
  unsubscribe('net.server.socket', listen)
  return { client, near }
}

describe('a stream that yields nothing yet', () => {
  it('has its head sent, which event streams need', async () => {
    await using server = await serving()
    const client = new AbortController()

    const response = await fetch(`${server.url}/waiting`, { signal: client.signal })

    assert.equal(response.status, 200)
    client.abort()
  })
})

describe('a client that reads nothing', () => {
  for (const path of ['/text', '/bytes', '/light', '/stream']) {
    it(`is disconnected in the middle of ${path} [R-34]`, async () => {
      await using server = await serving()
      const { client, near } = await ask(server.port, path)
      while (near.timeout !== 30_000) await pause(5)
      const closed = once(near, 'close')

      // What takes half a minute each time, a tenth of a second here.
      near.setTimeout(100)
      await closed

      client.destroy()
      assert.equal((await fetch(`${server.url}/small`)).status, 200)
    })
  }

  it('is disconnected in the middle of many small responses, and the requests after them never run [HOLD-05]', async () => {
    await using server = await serving()
    const { client, near } = await ask(server.port, '/sixty')
    sixty = 0
    client.write('GET /sixty HTTP/1.1\r\nHost: app.test\r\n\r\n'.repeat(400))
    while (near.timeout !== 30_000) await pause(5)
    const closed = once(near, 'close')

    near.setTimeout(100)
    await closed

    client.destroy()
    assert.ok(sixty < 399, `${sixty} ran`)
  })

  it('has no limit once it has read everything, except that of idle connections', async () => {
    await using server = await serving()
    const { client, near } = await ask(server.port, '/text')
    client.resume()

    while (client.bytesRead < LARGE || near.timeout === 30_000) await pause(5)
    client.destroy()

    assert.ok((near.timeout ?? 0) < 30_000)
  })
})
