import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { BadRequestException, PayloadTooLargeException } from 'sallyport/http'

import { ServedHosts } from '../../src/http/index.ts'
import { NodeRequest, type NodeRequestOptions } from '../../src/node/node-request.ts'
import { TrustedProxies } from '../../src/node/trusted-proxies.ts'

const PLAIN: NodeRequestOptions = { bodyBytes: 1000, origin: null, proxies: null, hosts: null }

interface Arrived {
  readonly request: NodeRequest
  readonly message: IncomingMessage
  readonly outgoing: ServerResponse
  readonly client: Socket
  /** What the client has received. */
  received(): string
}

/** A request as a server sees it whose client sends some lines, and what follows. */
async function arrive(
  t: TestContext,
  head: readonly string[],
  {
    body = '',
    options = PLAIN,
    announcesBody = true,
  }: { body?: string; options?: NodeRequestOptions; announcesBody?: boolean } = {},
): Promise<Arrived> {
  const come = Promise.withResolvers<[IncomingMessage, ServerResponse]>()
  const take = (...parts: [IncomingMessage, ServerResponse]): void => come.resolve(parts)
  const server = createServer({ requireHostHeader: false }, take)
    .on('checkContinue', take)
    .listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => undefined)
  let received = ''
  client.on('data', (piece: Buffer) => (received += piece.toString()))
  t.after(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  client.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  const [message, outgoing] = await come.promise
  const request = new NodeRequest({ message, outgoing }, options, announcesBody)
  return { request, message, outgoing, client, received: () => received }
}

const GET = ['GET /a?b=c HTTP/1.1', 'Host: App.test:81']
const post = (...lines: string[]): string[] => ['POST /a HTTP/1.1', 'Host: app.test', ...lines]
const textOf = async (request: NodeRequest): Promise<string> => Buffer.from(await request.bytes()).toString()

describe('NodeRequest: its origin', () => {
  it('has method and target as sent, and what connection and Host say', async (t) => {
    const { request } = await arrive(t, GET)

    assert.deepEqual(
      [request.method, request.target, request.secure, request.origin, request.host, request.clientAddress],
      ['GET', '/a?b=c', false, 'http://app.test:81', 'App.test:81', '127.0.0.1'],
    )
  })

  it('is localhost when no host was named', async (t) => {
    const { request } = await arrive(t, ['GET / HTTP/1.0'])

    assert.deepEqual([request.host, request.origin], [null, 'http://localhost'])
  })

  it('has the origin of the server, whatever the client says', async (t) => {
    const proxies = new TrustedProxies({ addresses: ['127.0.0.1'] })
    const lines = [...GET, 'X-Forwarded-Proto: http']
    const { request } = await arrive(t, lines, { options: { ...PLAIN, origin: 'https://own.test', proxies } })

    assert.deepEqual([request.origin, request.secure], ['https://own.test', true])
    assert.equal(request.request().url, 'https://own.test/a?b=c')
  })

  it('is plain when the origin of the server is, even if a proxy says otherwise', async (t) => {
    const proxies = new TrustedProxies({ addresses: ['127.0.0.1'] })
    const lines = [...GET, 'X-Forwarded-Proto: https']
    const { request } = await arrive(t, lines, { options: { ...PLAIN, origin: 'http://own.test', proxies } })

    assert.equal(request.secure, false)
  })

  it('uses each part that a trusted proxy reports, and the connection’s for the others [HOLD-12]', async (t) => {
    const proxies = new TrustedProxies({ addresses: ['127.0.0.1'] })
    const options = { ...PLAIN, proxies }
    const all = ['X-Forwarded-For: 192.0.2.1', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: Shop.test']
    const [said, silent, malformed] = [
      await arrive(t, [...GET, ...all], { options }),
      await arrive(t, GET, { options }),
      await arrive(t, [...GET, 'X-Forwarded-Host: a/b'], { options }),
    ]

    assert.deepEqual(
      [said.request.clientAddress, said.request.origin, said.request.host],
      ['192.0.2.1', 'https://shop.test', 'Shop.test'],
    )
    assert.deepEqual(
      [silent.request.clientAddress, silent.request.origin, silent.request.host],
      ['127.0.0.1', 'http://app.test:81', 'App.test:81'],
    )
    assert.equal(malformed.request.host, 'App.test:81')
  })

  it('uses nothing of an untrusted proxy', async (t) => {
    const options = { ...PLAIN, proxies: new TrustedProxies({ addresses: ['10.0.0.1'] }) }
    const { request } = await arrive(t, [...GET, 'X-Forwarded-For: 192.0.2.1', 'X-Forwarded-Proto: https'], {
      options,
    })

    assert.deepEqual([request.clientAddress, request.secure], ['127.0.0.1', false])
  })

  it('reads a header by its name, lines joined, and null where none was sent', async (t) => {
    const { request } = await arrive(t, [...GET, 'X-A: 1', 'X-A: 2', 'Set-Cookie: a', 'Set-Cookie: b'])

    assert.deepEqual(
      ['x-a', 'set-cookie', 'x-b', 'host'].map((name) => request.header(name)),
      ['1, 2', 'a, b', null, 'App.test:81'],
    )
    const { headers } = request.request()
    assert.deepEqual(
      [headers.get('x-a'), headers.getSetCookie(), headers.get('x-b'), headers.get('host')],
      ['1, 2', ['a', 'b'], null, 'App.test:81'],
    )
  })

  it('is a 400 when the host makes no URL [HOLD-09]', async (t) => {
    const { request } = await arrive(t, ['GET / HTTP/1.1', 'Host: 999.1.1.1'])

    assert.throws(
      () => request.request(),
      (error: Error) => error instanceof BadRequestException && error.cause !== undefined,
    )
    assert.equal(new ServedHosts({ hosts: ['a.test'] }).accepts(request.host), false)
  })

  it('aborts when the client has gone, in the request as well [HOLD-15]', async (t) => {
    const { request, client, outgoing } = await arrive(t, GET)
    const { signal } = request
    const handedOn = request.request().signal
    assert.equal(request.signal, signal)
    const closed = new Promise((resolve) => outgoing.on('close', resolve))

    client.destroy()
    await closed

    assert.deepEqual([signal.aborted, handedOn.aborted], [true, true])
  })
})

describe('NodeRequest: its body', () => {
  for (const [lines, length] of [
    [['Content-Length: 5'], 5],
    [['Transfer-Encoding: chunked'], null],
    [[], 0],
  ] as const) {
    it(`announces ${length} bytes by ${JSON.stringify(lines)}`, async (t) => {
      const { request } = await arrive(t, post(...lines))

      assert.equal(request.bodyLength, length)
    })
  }

  it('is none where the message announces none', async (t) => {
    const { request } = await arrive(t, post(), { announcesBody: false })

    assert.deepEqual([request.bodyLength, request.hasUnreadBody(), await textOf(request)], [0, false, ''])
  })

  for (const [what, lines, body] of [
    ['of a length', ['Content-Length: 5'], 'hello'],
    ['in chunks', ['Transfer-Encoding: chunked'], '2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n'],
  ] as const) {
    it(`${what} is read once, and is the same for all readers, also through the request`, async (t) => {
      const { request } = await arrive(t, post(...lines), { body })

      const [first, second] = await Promise.all([request.bytes(), request.bytes()])

      assert.equal(first, second)
      assert.equal(await textOf(request), 'hello')
      assert.equal(await request.request().text(), 'hello')
      assert.equal(request.request(), request.request())
      assert.equal(request.hasUnreadBody(), false)
    })

    it(`${what} is read when it comes late, in chunks`, async (t) => {
      const { request, client } = await arrive(t, post(...lines))
      const read = textOf(request)

      for (const piece of body) {
        client.write(piece)
        await pause(1)
      }

      assert.equal(await read, 'hello')
    })

    it(`${what} is counted when nothing reads it, and can no longer be read [HOLD-04]`, async (t) => {
      const { request, message } = await arrive(t, post(...lines), { body })

      await Promise.all([request.finishBody(), request.finishBody()])

      assert.equal(message.readableEnded, true)
      await assert.rejects(async () => request.bytes(), /nothing had begun to read/)
    })

    it(`${what} is kept if it was requested before`, async (t) => {
      const [bytes, handedOut] = [
        await arrive(t, post(...lines), { body }),
        await arrive(t, post(...lines), { body }),
      ]
      void bytes.request.bytes()
      const stream = handedOut.request.request()

      await Promise.all([bytes.request.finishBody(), handedOut.request.finishBody()])

      assert.equal(await textOf(bytes.request), 'hello')
      assert.equal(await stream.text(), 'hello')
    })

    it(`${what} that breaks off is a 400, before and after it is read [R-39]`, async (t) => {
      const [early, late] = [
        await arrive(t, post(...lines), { body: body.slice(0, 3) }),
        await arrive(t, post(...lines), { body: body.slice(0, 3) }),
      ]
      const read = assert.rejects(async () => early.request.bytes(), BadRequestException)
      const closed = new Promise((resolve) => late.message.on('close', resolve))
      late.message.on('error', () => undefined)

      early.client.destroy()
      late.client.destroy()
      await closed

      await read
      await assert.rejects(async () => late.request.bytes(), BadRequestException)
      await assert.rejects(late.request.finishBody(), BadRequestException)
    })
  }

  it('of a GET that was discarded is empty: it has no meaning there', async (t) => {
    for (const method of ['GET', 'HEAD']) {
      const { request } = await arrive(t, [`${method} / HTTP/1.1`, 'Host: a', 'Content-Length: 2'], {
        body: 'ab',
      })
      await request.finishBody()

      assert.equal(await textOf(request), '')
    }
  })

  it('of a GET is not in the request, and can be read all the same', async (t) => {
    const { request } = await arrive(t, ['GET / HTTP/1.1', 'Host: a', 'Content-Length: 2'], { body: 'ab' })

    assert.equal(request.request().body, null)
    assert.equal(await textOf(request), 'ab')
  })

  it('of the limit is read, announced or not [R-35]', async (t) => {
    const body = 'x'.repeat(1000)
    const [announced, chunked] = [
      await arrive(t, post('Content-Length: 1000'), { body }),
      await arrive(t, post('Transfer-Encoding: chunked'), { body: `3e8\r\n${body}\r\n0\r\n\r\n` }),
    ]

    assert.equal((await textOf(announced.request)).length, 1000)
    assert.equal((await textOf(chunked.request)).length, 1000)
  })

  it('over the limit is refused: announced without reading it, else when it is [R-35]', async (t) => {
    const announced = await arrive(t, post('Content-Length: 1001', 'Expect: 100-continue'))
    const chunked = await arrive(t, post('Transfer-Encoding: chunked'), {
      body: `3e9\r\n${'x'.repeat(1001)}\r\n0\r\n\r\n`,
    })
    const counted = await arrive(t, post('Transfer-Encoding: chunked'), {
      body: `3e9\r\n${'x'.repeat(1001)}\r\n0\r\n\r\n`,
    })

    for (const { request } of [announced, chunked])
      await assert.rejects(async () => request.bytes(), PayloadTooLargeException)
    await assert.rejects(counted.request.finishBody(), PayloadTooLargeException)
    assert.equal(announced.received(), '')
  })

  it('is not read further once it exceeds the limit [R-35]', async (t) => {
    const { request, message, client } = await arrive(t, post('Transfer-Encoding: chunked'))
    const chunk = `ffff\r\n${'x'.repeat(0xffff)}\r\n`
    const refused = assert.rejects(async () => request.bytes(), PayloadTooLargeException)
    client.write(chunk)
    await refused
    const before = message.socket.bytesRead

    for (let i = 0; i < 200; i++) client.write(chunk)
    await pause(50)

    assert.ok(message.socket.bytesRead - before < 2_000_000, `${message.socket.bytesRead - before} were read`)
  })

  it('is not read further once it is stopped [R-35]', async (t) => {
    const { request, message, client } = await arrive(t, post('Content-Length: 20000000'))
    request.stopReading()

    client.write('x'.repeat(20_000_000))
    await pause(50)

    assert.ok(message.socket.bytesRead < 2_000_000, `${message.socket.bytesRead} were read`)
  })

  it('is not requested if the client does not wait for it, or uses HTTP/1.0', async (t) => {
    const body = 'hello'
    for (const lines of [
      post('Content-Length: 5'),
      ['POST /a HTTP/1.0', 'Host: app.test', 'Content-Length: 5', 'Expect: 100-continue'],
    ]) {
      const { request, client, outgoing, received } = await arrive(t, lines, { body })
      const closed = new Promise((resolve) => client.on('close', resolve))
      assert.equal(await textOf(request), 'hello')

      outgoing.writeHead(204, { connection: 'close' }).end()
      await closed

      assert.match(received(), /^HTTP\/1.1 204/)
    }
  })

  it('is requested when it is read, once, and not before', async (t) => {
    const { request, client, outgoing, received } = await arrive(
      t,
      post('Content-Length: 5', 'Expect: 100-continue'),
    )
    const closed = new Promise((resolve) => client.on('close', resolve))
    await pause(20)
    assert.equal(received(), '')

    const read = textOf(request)
    while (received() === '') await pause(1)
    assert.equal(received(), 'HTTP/1.1 100 Continue\r\n\r\n')
    client.write('hello')

    assert.equal(await read, 'hello')
    await request.finishBody()
    outgoing.writeHead(204, { connection: 'close' }).end()
    await closed
    assert.match(received(), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 204 /)
  })

  it('is unread until it was read to its end', async (t) => {
    const [open, whole, chunked] = [
      await arrive(t, post('Content-Length: 5'), { body: 'he' }),
      await arrive(t, post('Content-Length: 5'), { body: 'hello' }),
      await arrive(t, post('Transfer-Encoding: chunked'), { body: '2\r\nhe\r\n' }),
    ]

    assert.deepEqual([open.request.hasUnreadBody(), chunked.request.hasUnreadBody()], [true, true])
    await whole.request.bytes()
    assert.equal(whole.request.hasUnreadBody(), false)
  })

  it('is read further only for a response that may be made from it [HOLD-51]', async (t) => {
    const [plain, handedOut] = [
      await arrive(t, post('Content-Length: 5'), { body: 'hello' }),
      await arrive(t, post('Content-Length: 5'), { body: 'hello' }),
    ]
    void handedOut.request.request()

    assert.equal(plain.request.keepReading(), false)
    assert.equal(handedOut.request.keepReading(), true)
    await handedOut.request.bytes()
    assert.deepEqual(
      [plain.request.hasUnreadBody(), handedOut.request.hasUnreadBody()],
      [!plain.message.complete, false],
    )
  })
})
