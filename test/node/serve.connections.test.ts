import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type ServeOptions, serve, type Server } from 'sallyport/node'

import { type Answers, site } from '../app/fixture.ts'
import { Worker } from '../reliability/fixture/workers.ts'
import { exchange, open, parse, request, values, within } from './raw.ts'

const HOST = 'Host: app.test'
const CONNECT = `CONNECT app.test:443 HTTP/1.1\r\n${HOST}\r\n\r\n`
const UPGRADE = `GET / HTTP/1.1\r\n${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`

const ANSWERS: Answers = {
  'GET /': () => 'hi',
  'GET /never': () => new Promise(() => undefined),
  'GET /later': async () => {
    await pause(100)
    return 'later'
  },
  'GET /large': () => 'x'.repeat(5_000_000),
  'GET /stream': () =>
    new Response(ReadableStream.from(Array.from({ length: 5 }, (_, i) => Buffer.alloc(200_000, String(i))))),
  'POST /form': async (context) => (await context.form())?.text('a') ?? 'none',
}

async function serving(
  t: TestContext,
  options: ServeOptions & { readonly onClose?: () => void } = {},
): Promise<Server> {
  const { onClose, ...rest } = options
  const app = site(ANSWERS, { configure: (configured) => onClose && configured.onClose(onClose) })
  const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 200, ...rest })
  t.after(() => server.close())
  return server
}

/** The server's ends of the connections to a port, from now on. */
function accepted(t: TestContext, port: number): Socket[] {
  const sockets: Socket[] = []
  const listen = (message: unknown): void => {
    const near =
      typeof message === 'object' && message !== null && 'socket' in message ? message.socket : null
    if (near instanceof Socket && near.localPort === port) sockets.push(near)
  }
  subscribe('net.server.socket', listen)
  t.after(() => unsubscribe('net.server.socket', listen))
  return sockets
}

async function send(port: number, text: string): Promise<Socket> {
  const socket = await open(port)
  socket.on('error', () => undefined)
  socket.write(text)
  return socket
}

/** Connections that nobody ends, each in a state of its own. */
const HELD: Readonly<Record<string, string>> = {
  'that sent nothing': '',
  'in the middle of a head': `GET / HTTP/1.1\r\nHo`,
  'in the middle of a body': `POST /form HTTP/1.1\r\n${HOST}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\na=1`,
  'in the middle of a chunk': `POST /form HTTP/1.1\r\n${HOST}\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n9\r\na=1`,
  'whose action never answers': `GET /never HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'that read nothing of a large answer': `GET /large HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'with requests in a row': `GET /never HTTP/1.1\r\n${HOST}\r\n\r\n`.repeat(20),
  'that asked for a tunnel': CONNECT,
  'that asked for a tunnel after a request': `GET /never HTTP/1.1\r\n${HOST}\r\n\r\n${CONNECT}`,
  'that asked for another protocol': UPGRADE,
  'that expect to be asked on': `POST /form HTTP/1.1\r\n${HOST}\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
  'that are idle': `GET / HTTP/1.1\r\n${HOST}\r\n\r\n`,
}

describe('a connection that leaves HTTP', () => {
  for (const [what, text] of [
    ['CONNECT', CONNECT],
    ['an upgrade', UPGRADE],
    ['CONNECT behind a request', `GET /later HTTP/1.1\r\n${HOST}\r\n\r\n${CONNECT}`],
    ['bytes that are not HTTP', 'NOT HTTP\r\n\r\n'],
  ] as const) {
    it(`ends nothing else when its client resets it after ${what} [HOLD-01]`, async (t) => {
      const server = await serving(t)
      for (let i = 0; i < 20; i++) {
        const socket = await send(server.port, text)
        await once(socket, 'data')
        socket.resetAndDestroy()
      }
      await pause(50)

      assert.equal((await fetch(server.url)).status, 200)
    })
  }

  it('is destroyed within a second of its refusal, even if its client keeps it open [HOLD-02]', async (t) => {
    const server = await serving(t)
    const sockets = accepted(t, server.port)
    const clients = await Promise.all(Array.from({ length: 50 }, () => send(server.port, CONNECT)))

    await Promise.all(clients.map((client) => once(client, 'readable')))
    assert.equal(sockets.length, 50)
    for (const socket of sockets) if (!socket.destroyed) await once(socket, 'close')

    for (const client of clients) client.destroy()
  })

  it('is answered after earlier requests [HOLD-01]', async (t) => {
    const server = await serving(t)

    const text = await exchange(
      server.port,
      `GET /later HTTP/1.1\r\n${HOST}\r\n\r\nGET / HTTP/1.1\r\n${HOST}\r\n\r\n${CONNECT}`,
    )

    assert.deepEqual(
      [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ['200', '200', '405'],
    )
  })
})

describe('responses before a refused tunnel', () => {
  for (const [path, length] of [
    ['/stream', 1_000_000],
    ['/large', 5_000_000],
  ] as const) {
    it(`arrive completely, in parts that a connection cannot accept at once: ${path} [HOLD-01]`, async (t) => {
      const server = await serving(t)

      const text = await exchange(server.port, `GET ${path} HTTP/1.1\r\n${HOST}\r\n\r\n`.repeat(2) + CONNECT)

      assert.deepEqual(
        [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
        ['200', '200', '405'],
      )
      assert.ok(text.length > 2 * length)
    })
  }

  it('are abandoned when nobody reads them [HOLD-05]', async (t) => {
    const server = await serving(t)
    const sockets = accepted(t, server.port)
    const client = await send(server.port, `GET /stream HTTP/1.1\r\n${HOST}\r\n\r\n`.repeat(20) + CONNECT)
    client.pause()
    const [socket] = sockets
    assert.ok(socket !== undefined)
    while (socket.timeout === 0 || socket.timeout === undefined) await pause(5)

    socket.emit('timeout')

    assert.ok(socket.destroyed)
  })
})

describe('what is refused at the socket', () => {
  for (const [what, lines, status] of [
    ['CONNECT', ['CONNECT app.test:443 HTTP/1.1', HOST], 405],
    ['TRACE', ['TRACE / HTTP/1.1', HOST], 405],
    ['no Host', ['GET / HTTP/1.1'], 400],
    ['a target that is not a path', ['GET evil HTTP/1.1', HOST], 400],
    ['bytes that are not HTTP', ['NOT HTTP'], 400],
    ['a head that is too long', ['GET / HTTP/1.1', HOST, `X-A: ${'a'.repeat(17_000)}`], 431],
    ['an expectation', ['GET / HTTP/1.1', HOST, 'Expect: 200-ok'], 417],
    ['a chunk of no size', ['POST /form HTTP/1.1', HOST, 'Transfer-Encoding: chunked', '', 'x'], 400],
  ] as const) {
    it(`carries the security headers of any other response: ${what} [HOLD-06]`, async (t) => {
      const server = await serving(t)

      const refused = await request(server.port, lines)

      assert.equal(refused.status, status)
      assert.deepEqual(values(refused, 'x-content-type-options'), ['nosniff'])
      assert.deepEqual(values(refused, 'connection'), ['close'])
    })
  }
})

describe('Server.close()', () => {
  it('ends and runs the close hooks, whatever connections are open [HOLD-03]', async (t) => {
    let closed = 0
    const server = await serving(t, { onClose: () => closed++ })
    const clients = await Promise.all(
      Object.values(HELD).flatMap((text) => Array.from({ length: 50 }, () => send(server.port, text))),
    )
    await pause(100)

    await within(1200, server.close())

    assert.equal(closed, 1)
    for (const client of clients) client.destroy()
  })

  it('SIGTERM ends the process and runs the close hooks, whatever connections are open [HOLD-03]', async () => {
    const worker = await Worker.start(500)
    const clients = await Promise.all(
      Object.values(HELD).flatMap((text) => Array.from({ length: 5 }, () => send(worker.port, text))),
    )
    await pause(100)

    const { handled, code } = await worker.end()

    assert.equal(code, 0)
    assert.ok(Number.isInteger(handled), 'the close hook said how many requests were handled')
    for (const client of clients) client.destroy()
  })

  it('closes silent connections long before the time of the others is over', async (t) => {
    const server = await serving(t, { drainMilliseconds: 60_000 })
    const client = await open(server.port)

    await server.close()

    client.destroy()
  })
})

describe('pipelined requests', () => {
  it('are answered in their order, one at a time', async (t) => {
    const server = await serving(t)

    const text = await exchange(
      server.port,
      `GET /later HTTP/1.1\r\n${HOST}\r\n\r\nGET / HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`,
    )

    assert.ok(text.indexOf('later') < text.indexOf('hi'))
    assert.equal(parse(text).status, 200)
  })

  it('are answered as long as no more than 1 MiB of them waits [HOLD-05]', async (t) => {
    const server = await serving(t)
    const first = `GET /later HTTP/1.1\r\n${HOST}\r\n\r\n`
    const last = `GET / HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`

    const text = await exchange(server.port, first + `GET / HTTP/1.1\r\n${HOST}\r\n\r\n`.repeat(400) + last)

    assert.equal(text.match(/HTTP\/1\.1 200 OK/g)?.length, 402)
  })

  for (const [what, line] of [
    ['many', ''],
    ['large', `X-Large: ${'x'.repeat(10_000)}\r\n`],
  ] as const) {
    it(`end with their connection when ${what} of them wait, and block nobody [HOLD-05]`, async (t) => {
      const server = await serving(t)
      const client = await open(server.port)
      t.after(() => client.destroy())
      // What it writes after the server has gone is answered by a reset.
      client.on('error', () => undefined)
      const closed = new Promise((resolve) => client.once('close', resolve))
      // 4 MiB, which would take 200 MiB of memory and then half a minute to forget.
      const one = `GET /never HTTP/1.1\r\n${HOST}\r\n${line}\r\n`
      client.write(one.repeat(Math.ceil(4_194_304 / one.length)))

      await closed

      assert.equal((await request(server.port, ['GET / HTTP/1.1', HOST, 'Connection: close'])).status, 200)
    })
  }
})
