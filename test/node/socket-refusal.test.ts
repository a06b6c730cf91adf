import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'

import { refuseAtSocket } from '../../src/node/socket-refusal.ts'
import { exchange, open, parse, within } from './raw.ts'

const LINES = ['x-content-type-options', 'nosniff', 'x-other', 'a: b']
const HOST = 'Host: app.test'
const GARBAGE = 'NOT HTTP\r\n\r\n'
const CONNECT = `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n\r\n`

interface Started {
  readonly server: Server
  readonly port: number
  readonly near: readonly Socket[]
}

async function start(
  t: TestContext,
  answer: RequestListener = (_, outgoing) => outgoing.end('whole'),
  options: ServerOptions = {},
): Promise<Started> {
  const near: Socket[] = []
  const server = createServer(options, answer)
  server.on('connection', (socket) => near.push(socket.on('error', () => undefined)))
  refuseAtSocket(server, LINES)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of near) socket.destroy()
    server.close()
  })
  return { server, port: (server.address() as AddressInfo).port, near }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2))
}

function receive(client: Socket): () => string {
  let received = ''
  client.setEncoding('latin1').on('data', (piece: string) => (received += piece))
  client.on('error', () => undefined)
  return () => received
}

describe('refuseAtSocket()', () => {
  for (const [what, sent, status, reason, further] of [
    ['bytes that are not HTTP', GARBAGE, 400, 'Bad Request', []],
    [
      'a head that is too long',
      `GET / HTTP/1.1\r\n${HOST}\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
      431,
      'Request Header Fields Too Large',
      [],
    ],
    [
      'extensions of a chunk that are too long',
      `POST / HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(17_000)}\r\n`,
      413,
      'Payload Too Large',
      [],
    ],
    ['CONNECT', CONNECT, 405, 'Method Not Allowed', [['allow', 'GET, HEAD']]],
  ] as const) {
    it(`responds with ${status} to ${what}, with the lines of every refusal and no others [HOLD-06]`, async (t) => {
      const never: RequestListener = () => undefined
      const { port } = await start(t, never)

      const received = await exchange(port, sent)

      assert.ok(received.startsWith(`HTTP/1.1 ${status} ${reason}\r\n`), received)
      assert.ok(received.endsWith('\r\n\r\n'))
      assert.deepEqual(parse(received).headers, [
        ['x-content-type-options', 'nosniff'],
        ['x-other', 'a: b'],
        ...further,
        ['content-length', '0'],
        ['connection', 'close'],
      ])
    })
  }

  it('answers 408 to a head that takes too long [R-34]', async (t) => {
    const options = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 20 }
    const { port } = await start(t, undefined, options)

    assert.equal(parse(await exchange(port, 'GET / HT')).status, 408)
  })

  for (const [what, sent] of [
    ['bytes that are not HTTP', GARBAGE],
    ['CONNECT', CONNECT],
  ] as const) {
    it(`answers ${what} in its turn, once, even if more comes [HOLD-01]`, async (t) => {
      const gate = Promise.withResolvers<void>()
      let asked = 0
      const { server, port, near } = await start(t, (_, outgoing) => {
        asked++
        void gate.promise.then(() => outgoing.end('whole'))
      })
      const client = await open(port)
      const received = receive(client)
      client.write(`GET / HTTP/1.1\r\n${HOST}\r\n\r\n${sent}`)
      await until(() => asked === 1)
      const [socket] = near
      assert.ok(socket !== undefined)
      // Node says it of whatever still comes.
      if (sent === GARBAGE) for (let i = 0; i < 3; i++) server.emit('clientError', new Error('again'), socket)

      gate.resolve()
      await within(5000, once(client, 'close'))
      server.emit('clientError', new Error('again'), socket)

      const statuses = [...received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
      assert.deepEqual(statuses, ['200', sent === GARBAGE ? '400' : '405'])
      assert.match(received(), /whole/)
    })
  }

  it('answers once when the event is repeated after the response [HOLD-01]', async (t) => {
    const { server, port, near } = await start(t)
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const received = receive(client)
    client.write(GARBAGE)
    await once(client, 'end')
    const [socket] = near
    assert.ok(socket !== undefined)

    server.emit('clientError', new Error('again'), socket)

    // Destroying it now could take the answer away from its client.
    assert.equal(socket.destroyed, false)
    assert.equal(received().split('HTTP/1.1').length, 2)
    client.destroy()
  })

  it('reads nothing more while the refusal waits for its turn [HOLD-05]', async (t) => {
    const { port, near } = await start(t, () => undefined)
    const client = await open(port)
    receive(client)
    client.write(`GET / HTTP/1.1\r\n${HOST}\r\n\r\n${GARBAGE}`)
    await until(() => (near[0]?.bytesRead ?? 0) > 0)

    for (let i = 0; i < 20; i++) {
      client.write(Buffer.alloc(1_000_000))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }

    assert.ok((near[0]?.bytesRead ?? 0) < 2_000_000, `${near[0]?.bytesRead} bytes were read`)
    client.destroy()
  })

  for (const [what, sent] of [
    ['bytes that are not HTTP', GARBAGE],
    ['CONNECT', CONNECT],
    ['CONNECT and more', CONNECT + 'x'.repeat(500_000)],
    ['a part of a request line', 'G'],
    ['a part of a head', 'GET / HTTP/1.1\r\nHo'],
    ['a part of a body', `POST / HTTP/1.1\r\n${HOST}\r\nContent-Length: 5\r\n\r\na`],
    ['a part of a chunk', `POST / HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na`],
  ] as const) {
    it(`notices the disconnect of a client that has sent ${what} after a request [HOLD-15]`, async (t) => {
      let current: ServerResponse | null = null
      const { port, near } = await start(t, (_, outgoing) => (current ??= outgoing))
      const client = await open(port)
      receive(client)
      client.write(`GET / HTTP/1.1\r\n${HOST}\r\n\r\n${sent}`)
      await until(() => current !== null)
      const outgoing = current as unknown as ServerResponse

      client.end()

      await within(2000, once(outgoing, 'close'))
      assert.equal(outgoing.writableFinished, false)
      assert.equal(near[0]?.destroyed, true)
    })
  }

  it('ends a connection that sends over 1 MiB behind a CONNECT that waits for its refusal [HOLD-05]', async (t) => {
    const { port, near } = await start(t, () => undefined)
    const client = await open(port)
    receive(client)
    client.write(`GET / HTTP/1.1\r\n${HOST}\r\n\r\n${CONNECT}`)
    await until(() => (near[0]?.bytesRead ?? 0) > 0)

    for (let i = 0; i < 20; i++) {
      client.write(Buffer.alloc(1_000_000))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }

    assert.equal(near[0]?.destroyed, true)
    assert.ok((near[0]?.bytesRead ?? 0) < 2_000_000, `${near[0]?.bytesRead} bytes were read`)
    client.destroy()
  })

  it('cuts the connection in the middle of a response', async (t) => {
    const { port } = await start(t, (_, outgoing) => void outgoing.write('part'))
    const client = await open(port)
    const received = receive(client)
    client.write(`POST / HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked\r\n\r\n`)
    await until(() => received().includes('part'))

    client.write('no size\r\n')
    await within(5000, once(client, 'close'))

    assert.equal(received().split('HTTP/1.1').length, 2)
    assert.doesNotMatch(received(), /0\r\n\r\n$/)
  })

  it('answers in place of a response that has not begun', async (t) => {
    const { port } = await start(t, () => undefined)

    const received = await exchange(
      port,
      `POST / HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n`,
    )

    assert.equal(parse(received).status, 400)
  })

  it('destroys a connection on which nothing can be sent any more', async (t) => {
    const { server, port, near } = await start(t)
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    receive(client)
    await until(() => near.length === 1)
    const [socket] = near
    assert.ok(socket !== undefined)
    socket.end()

    server.emit('clientError', new Error('late'), socket)

    assert.equal(socket.destroyed, true)
    client.destroy()
  })

  for (const [what, sent] of [
    ['bytes that are not HTTP', GARBAGE],
    ['CONNECT', CONNECT],
  ] as const) {
    it(`lets a client that still sends read the refusal of ${what}, then destroys it [HOLD-02]`, async (t) => {
      const { port, near } = await start(t)
      const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      let isReset = false
      const received = receive(client)
      client.on('error', () => (isReset = true))
      client.write(sent)
      await once(client, 'end')

      for (let i = 0; i < 20 && !client.destroyed; i++) {
        client.write('x')
        await new Promise((resolve) => setTimeout(resolve, 5))
      }

      assert.equal(isReset, false)
      assert.match(received(), /^HTTP\/1\.1 40[05] /)
      await within(
        5000,
        until(() => near[0]?.destroyed === true),
      )
      client.destroy()
    })
  }
})
