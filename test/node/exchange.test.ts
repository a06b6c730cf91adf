import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'

import type { App } from '../../src/app/index.ts'
import { LightResponse, textResponse } from '../../src/http/internal.ts'
import { ServedHosts } from '../../src/http/index.ts'
import { answerInTurn, refuseExpectation } from '../../src/node/exchange.ts'
import { PendingAnswers } from '../../src/node/pending-answers.ts'
import { RequestGuard } from '../../src/node/request-guard.ts'
import type { NodeRequest } from '../../src/node/node-request.ts'
import { exchange, open, parse, values, within } from './raw.ts'
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'

type Handle = (request: NodeRequest) => Response | Promise<Response>

interface Started {
  readonly port: number
  /** Targets that the application was asked for, in order. */
  readonly ran: readonly string[]
  /** The server's ends of all connections. */
  readonly near: readonly Socket[]
  /** The server is closing when it says so. */
  readonly state: { draining: boolean }
}

/** A server in front of an application that is a function; a refusal says whether its request was secure. */
async function start(t: TestContext, handle: Handle, hosts: ServedHosts | null = null): Promise<Started> {
  const ran: string[] = []
  const near: Socket[] = []
  const state = { draining: false }
  const app = {
    handle: (request: NodeRequest) => (ran.push(request.target), handle(request)),
    linesOfRefusal: (isSecure: boolean) => ['x-secure', String(isSecure)],
    reportRefusal: () => undefined,
  } as unknown as App
  const source = { bodyBytes: 1_000_000_000, origin: null, proxies: null, hosts }
  const services = { app, guard: new RequestGuard(), state, pending: new PendingAnswers(), source }
  const server = createServer((message, outgoing) => answerInTurn({ message, outgoing }, services))
  server.on('checkExpectation', (message, outgoing) => refuseExpectation({ message, outgoing }, services))
  server.on('connection', (socket) => near.push(socket.on('error', () => undefined)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, ran, near, state }
}

const text = (body = 'x'): Response => textResponse(200, body, 'text/plain')
const get = (target = '/', ...lines: readonly string[]): string =>
  `${[`GET ${target} HTTP/1.1`, 'Host: app.test', ...lines].join('\r\n')}\r\n\r\n`
const LAST = 'Connection: close'
// 2 KiB for node, and twice the lines: 47 of these fit into 1 MiB.
const LARGE = get('/waiting', `X: ${'x'.repeat(10_000)}`)

function receive(socket: Socket): () => string {
  let received = ''
  socket.setEncoding('latin1').on('data', (piece: string) => (received += piece))
  socket.on('error', () => undefined)
  return () => received
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** What is reported where nobody listens goes to stderr. */
function reports(t: TestContext): () => string {
  const said: string[] = []
  t.mock.method(process.stderr, 'write', (piece: string) => said.push(piece) > 0)
  return () => said.join('')
}

describe('answerInTurn()', () => {
  it('sends the response of the application, immediate or later, and keeps the connection', async (t) => {
    const { port, ran } = await start(t, ({ target }) =>
      target === '/now' ? text('now') : Promise.resolve(text('later')),
    )

    const received = await exchange(port, get('/now') + get('/later') + get('/now', LAST))

    assert.deepEqual(
      [...received.matchAll(/\r\n\r\n(now|later)/g)].map(([, body]) => body),
      ['now', 'later', 'now'],
    )
    assert.equal(received.match(/connection: close/gi)?.length, 1)
    assert.deepEqual(ran, ['/now', '/later', '/now'])
  })

  it('asks the client to close if the server is closing by then [R-28]', async (t) => {
    const gate = Promise.withResolvers<Response>()
    const { port, ran, state } = await start(t, () => gate.promise)
    const received = exchange(port, get())
    await until(() => ran.length === 1)

    state.draining = true
    gate.resolve(text())

    assert.deepEqual(values(parse(await received), 'connection'), ['close'])
  })

  it('responds with 500 if the application rejects, reports it once and reveals nothing', async (t) => {
    const reported = reports(t)
    const { port } = await start(t, () => Promise.reject(new Error('hunter2')))

    const refused = parse(await exchange(port, get()))

    assert.deepEqual(
      [refused.status, refused.body, values(refused, 'connection'), values(refused, 'x-secure')],
      [500, 'Something went wrong on our end', ['close'], ['false']],
    )
    assert.equal(reported().split('Error: hunter2').length, 2)
  })

  for (const isHeard of [true, false]) {
    it(`responds with 500 to a body that cannot be sent, reported once, ${isHeard ? 'to its listener' : 'to stderr'} [HOLD-49]`, async (t) => {
      const reported = reports(t)
      const heard: unknown[] = []
      const { port } = await start(t, () => {
        const stream = new ReadableStream<Uint8Array>()
        stream.getReader()
        const light = new LightResponse(200, stream, [])
        if (isHeard) light.onBodyFault((fault) => heard.push(fault))
        return light as unknown as Response
      })

      assert.equal(parse(await exchange(port, get())).status, 500)
      assert.equal(heard.length, isHeard ? 1 : 0)
      assert.equal(reported().split('Cannot send a response').length, isHeard ? 1 : 2)
    })
  }
})

describe('requests refused before the application runs', () => {
  for (const [what, sent, status] of [
    ['a target that is not a path', get('//x'), 400],
    ['a method that is not served', get().replace('GET', 'TRACE'), 405],
    ['another host', get().replace('app.test', 'evil.test'), 421],
    ['an expectation', get('/', 'Expect: wonders', LAST), 417],
  ] as const) {
    it(`says why to ${what}, carries the headers of a refusal, and ends the connection [HOLD-06]`, async (t) => {
      const { port, ran } = await start(t, () => text(), new ServedHosts({ hosts: ['app.test'] }))

      const refused = parse(await exchange(port, sent))

      assert.equal(refused.status, status)
      assert.match(refused.body, /^[A-Z][a-z]+ [a-z ]+$/)
      assert.deepEqual(values(refused, 'content-length'), [String(refused.body.length)])
      assert.deepEqual(values(refused, 'connection'), ['close'])
      assert.deepEqual(values(refused, 'x-secure'), ['false'])
      // RFC 9110 section 15.5.6: with a 405, and it means nothing with another status.
      assert.deepEqual(values(refused, 'allow'), status === 405 ? ['GET, HEAD'] : [])
      assert.deepEqual(ran, [])
    })
  }

  it('runs for a host that is served [HOLD-09]', async (t) => {
    const { port, ran } = await start(t, () => text(), new ServedHosts({ hosts: ['app.test'] }))

    assert.equal(parse(await exchange(port, get('/', LAST))).status, 200)
    assert.deepEqual(ran, ['/'])
  })
})

describe('requests that wait on one connection', () => {
  for (const [count, isCut] of [
    [47, false],
    [48, true],
  ] as const) {
    it(`of 22 KB, ${count} of them ${isCut ? 'end it' : 'are answered'} [HOLD-05]`, async (t) => {
      const gate = Promise.withResolvers<Response>()
      const { port, ran, near } = await start(t, ({ target }) =>
        target === '/first' ? gate.promise : text(),
      )
      const client = await open(port)
      const received = receive(client)
      const closed = once(client, 'close')

      client.write(get('/first') + LARGE.repeat(count))
      if (isCut) await within(5000, closed)
      else {
        await until(() => (near[0]?.bytesRead ?? 0) >= LARGE.length * count)
        gate.resolve(text())
        await within(
          5000,
          until(() => received().split('HTTP/1.1 200').length > count + 1),
        )
        client.destroy()
      }

      assert.equal(ran.length, isCut ? 1 : count + 1)
    })
  }

  it('do not count any more after they have run [HOLD-05]', async (t) => {
    const { port, ran } = await start(t, () => text())
    const client = await open(port)
    const received = receive(client)

    for (let round = 1; round <= 4; round++) {
      client.write(LARGE.repeat(40))
      await within(
        5000,
        until(() => received().split('HTTP/1.1 200').length > 40 * round),
      )
    }

    assert.equal(ran.length, 160)
    client.destroy()
  })

  it('count as long as they wait, though others before them have run [HOLD-05]', async (t) => {
    const gate = Promise.withResolvers<Response>()
    const { port, ran } = await start(t, ({ target }) =>
      target === '/first' ? gate.promise : new Promise(() => undefined),
    )
    const client = await open(port)
    receive(client)
    const closed = once(client, 'close')

    client.write(get('/first') + LARGE.repeat(40))
    await until(() => ran.length === 1)
    gate.resolve(text())
    await until(() => ran.length === 2)
    client.write(LARGE.repeat(10))

    await within(5000, closed)
    assert.equal(ran.length, 2)
  })

  it('never run when their client has disconnected [R-39]', async (t) => {
    const gate = Promise.withResolvers<Response>()
    const { port, ran, near } = await start(t, () => gate.promise)
    const client = await open(port)
    client.write(get('/first') + get('/second'))
    await until(() => ran.length === 1)

    client.resetAndDestroy()
    await until(() => near[0]?.closed === true)
    gate.resolve(text())
    await new Promise((resolve) => setTimeout(resolve, 20))

    assert.deepEqual(ran, ['/first'])
  })

  it('do not have the time limit of the previous response', async (t) => {
    const limits: unknown[] = []
    const started = await start(t, () => {
      limits.push(started.near[0]?.timeout)
      return text('x'.repeat(limits.length === 1 ? 20_000_000 : 1))
    })
    const { port, near } = started
    const client = await open(port)
    client.pause()
    client.write(get() + get('/', LAST))
    await until(() => near[0]?.timeout === 30_000)
    const closed = once(client, 'close')

    client.resume()
    await closed

    assert.equal(limits.length, 2)
    assert.equal(limits[1], 0)
  })
})

const UNREAD = 'POST / HTTP/1.1\r\nHost: app.test\r\nContent-Length: 100000000\r\n\r\nx'

describe('a body that is not read', () => {
  it('over the limit is not read after the response either, however fast it comes [R-35]', async (t) => {
    const { port, near } = await start(t, (request) => {
      request.bodyLimit = 1_000_000
      return text()
    })
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const received = receive(client)

    client.write(UNREAD)
    const sending = setInterval(() => client.write(Buffer.alloc(64_000)), 1)
    await until(() => near[0]?.closed === true)
    clearInterval(sending)

    assert.equal(parse(received()).status, 200)
    assert.ok((near[0]?.bytesRead ?? 0) < 2_000_000, `${near[0]?.bytesRead} bytes were read`)
    client.destroy()
  })

  it('of unknown length is left alone [R-35]', async (t) => {
    const { port, near } = await start(t, () => text())
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const received = receive(client)

    client.write('POST / HTTP/1.1\r\nHost: app.test\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = `${(64_000).toString(16)}\r\n${'x'.repeat(64_000)}\r\n`
    const sending = setInterval(() => client.write(chunk), 1)
    await until(() => near[0]?.closed === true)
    clearInterval(sending)

    assert.equal(parse(received()).status, 200)
    const read = near[0]?.bytesRead ?? 0
    assert.ok(read < 1_000_000, `${read} bytes were read`)
    client.destroy()
  })

  it('reaches its end for a client that reads the response only then', async (t) => {
    const { port, near } = await start(t, () => text())
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => undefined).pause()
    const length = 30_000_000
    client.write(`POST / HTTP/1.1\r\nHost: app.test\r\nContent-Length: ${length}\r\n\r\n`)

    const rest = Buffer.alloc(1_000_000)
    for (let sent = 0; sent < length; sent += rest.length)
      if (!client.write(rest)) await within(5000, once(client, 'drain'))
    const received = receive(client)
    client.resume()
    await within(
      5000,
      until(() => received() !== '' && (near[0]?.bytesRead ?? 0) >= length),
    )

    assert.equal(parse(received()).status, 200)
    client.destroy()
  })

  it('is followed by nothing that is answered', async (t) => {
    const { port, ran, near } = await start(t, () => text())
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const received = receive(client)
    client.write('POST /first HTTP/1.1\r\nHost: app.test\r\nContent-Length: 300000\r\n\r\n')
    await until(() => received().includes('\r\n\r\n'))

    client.write('x'.repeat(300_000) + get('/next') + get('/last'))
    await within(
      5000,
      until(() => near[0]?.closed === true),
    )
    client.destroy()

    assert.deepEqual(ran, ['/first'])
    assert.equal(received().match(/HTTP\/1\.1 /g)?.length, 1)
  })

  it('ends the connection of a client that sends it too slowly [R-34]', async (t) => {
    const { port, near } = await start(t, () => text())
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    receive(client)
    client.write(UNREAD)
    const begun = performance.now()

    const sending = setInterval(() => client.write('x'), 100)
    await until(() => near[0]?.closed === true)
    clearInterval(sending)

    const took = performance.now() - begun
    assert.ok(took > 4500 && took < onThisMachine(12_000), `${took} ms`)
    client.destroy()
  })

  const ends: Readonly<Record<string, readonly [Handle, number]>> = {
    'the answer': [() => text(), 200],
    'the answer, though it was handed out': [(request) => (request.request(), text()), 200],
    'a fault': [() => Promise.reject(new Error('hunter2')), 500],
    'a refusal': [() => text(), 421],
  }
  for (const [what, [handle, status]] of Object.entries(ends)) {
    it(`lets its client read ${what}, with the request to close, while it still sends [R-35]`, async (t) => {
      reports(t)
      const { port } = await start(t, handle, new ServedHosts({ hosts: [status === 421 ? 'b' : 'app.test'] }))
      const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      let isReset = false
      const received = receive(client)
      client.on('error', () => (isReset = true))
      client.write(UNREAD)
      await once(client, 'end')

      // A connection that is closed whole answers what still comes with a reset.
      for (let i = 0; i < 20 && !client.destroyed; i++) {
        client.write(Buffer.alloc(64_000))
        await new Promise((resolve) => setTimeout(resolve, 5))
      }

      assert.equal(isReset, false)
      assert.equal(parse(received()).status, status)
      assert.deepEqual(values(parse(received()), 'connection'), ['close'])
      client.destroy()
    })
  }

  it('is read further for a response that may be made from it, and the connection stays [HOLD-51]', async (t) => {
    const { port, ran } = await start(t, (request) =>
      request.target === '/made'
        ? (request.request(), new Response(ReadableStream.from([Buffer.from('made')])))
        : text(),
    )
    const client = await open(port)
    const received = receive(client)

    client.write('POST /made HTTP/1.1\r\nHost: app.test\r\nContent-Length: 300000\r\n\r\n')
    await until(() => received().includes('made'))
    client.write('x'.repeat(300_000) + get('/next', LAST))
    await within(5000, once(client, 'close'))

    assert.deepEqual(ran, ['/made', '/next'])
    assert.equal(received().match(/connection: close/gi)?.length, 1)
  })
})
