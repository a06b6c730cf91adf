import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { BadRequestException } from 'sallyport/http'

import { NodeRequest, type NodeRequestOptions } from '../../src/node/node-request.ts'

const PLAIN: NodeRequestOptions = { bodyBytes: 1000, origin: null, proxies: null, hosts: null }
const POST = 'POST /a HTTP/1.1\r\nHost: app.test\r\n'

interface Arrived {
  readonly request: NodeRequest
  readonly message: IncomingMessage
  readonly outgoing: ServerResponse
  readonly client: Socket
  readonly near: Socket
  received(): string
}

/** A request in the turn in which its head came; `first` sees it before anything of its body is parsed. */
async function arrive(
  t: TestContext,
  sent: string,
  first: (request: NodeRequest, message: IncomingMessage) => void = () => undefined,
): Promise<Arrived> {
  const { promise, resolve } = Promise.withResolvers<Omit<Arrived, 'client' | 'received'>>()
  const take = (message: IncomingMessage, outgoing: ServerResponse): void => {
    const request = new NodeRequest({ message, outgoing }, PLAIN, true)
    first(request, message)
    resolve({ request, message, outgoing, near: message.socket })
  }
  const server = createServer(take).on('checkContinue', take).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => undefined)
  let received = ''
  client.setEncoding('latin1').on('data', (piece: string) => (received += piece))
  t.after(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  client.write(sent)
  return { ...(await promise), client, received: () => received }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2))
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('NodeRequest: what is unread', () => {
  it('is nothing where no body was announced, also before the message is complete', async (t) => {
    const seen: unknown[] = []
    await arrive(t, `${POST}Content-Length: 0\r\n\r\n`, (request, message) =>
      seen.push(message.complete, request.hasUnreadBody()),
    )

    assert.deepEqual(seen, [false, false])
  })

  it('is nothing of a complete body, even if nothing read it', async (t) => {
    const seen: unknown[] = []
    const { request, message } = await arrive(t, `${POST}Content-Length: 5\r\n\r\nhello`, (asked) =>
      seen.push(asked.hasUnreadBody()),
    )
    await until(() => message.complete)

    assert.deepEqual([...seen, request.hasUnreadBody()], [true, false])
  })

  it('is the remainder of a body that is being read', async (t) => {
    const { request, client } = await arrive(t, `${POST}Content-Length: 5\r\n\r\nhe`)
    const read = Promise.resolve(request.bytes())
    assert.equal(request.hasUnreadBody(), true)

    client.write('llo')
    await read

    assert.equal(request.hasUnreadBody(), false)
  })
})

describe('NodeRequest.awaitsBody', () => {
  it('reports a request that waits for its client: from the first read to the last byte', async (t) => {
    const { request, message, client } = await arrive(t, `${POST}Content-Length: 5\r\n\r\nhe`)
    assert.equal(request.awaitsBody, false)

    const read = Promise.resolve(request.bytes())
    assert.equal(request.awaitsBody, true)
    client.write('llo')
    await until(() => message.complete)
    assert.equal(request.awaitsBody, false)
    await read

    assert.equal(request.awaitsBody, false)
  })

  it('is false without a body, whose bytes are available at once', async (t) => {
    const seen: unknown[] = []
    await arrive(t, `${POST}Content-Length: 0\r\n\r\n`, (request) =>
      seen.push(request.bytes() instanceof Uint8Array, request.awaitsBody),
    )

    assert.deepEqual(seen, [true, false])
  })
})

describe('NodeRequest.bytes()', () => {
  it('returns the body that came with its head even before it is parsed, the same each time', async (t) => {
    const read: (Uint8Array | Promise<Uint8Array>)[] = []
    const { request } = await arrive(t, `${POST}Content-Length: 5\r\n\r\nhello`, (asked) =>
      read.push(asked.bytes()),
    )
    const [bytes] = read
    assert.ok(bytes !== undefined)

    assert.equal(Buffer.from(await bytes).toString(), 'hello')
    assert.equal(await request.bytes(), await bytes)
    assert.equal(request.hasUnreadBody(), false)
  })
})

describe('NodeRequest.stopReading()', () => {
  it('stops it for good: not even the rest of an answered request’s body is read [R-35]', async (t) => {
    const { request, outgoing, client, near, received } = await arrive(
      t,
      `${POST}Content-Length: 50000000\r\n\r\nx`,
    )
    request.stopReading()
    outgoing.end('answer')
    await until(() => received().includes('answer'))

    for (let i = 0; i < 50; i++) {
      client.write(Buffer.alloc(1_000_000))
      await pause(2)
    }

    assert.ok(near.bytesRead < 2_000_000, `${near.bytesRead} bytes were read`)
  })
})

describe('NodeRequest.keepReading()', () => {
  it('continues by itself if the body was passed on [HOLD-51]', async (t) => {
    const { request, message, client } = await arrive(t, `${POST}Content-Length: 900\r\n\r\n`)
    const handedOut = request.request()

    assert.equal(request.keepReading(), true)
    client.write('x'.repeat(900))
    await until(() => message.complete)

    assert.equal(message.readableLength, 0)
    assert.equal((await handedOut.text()).length, 900)
  })

  it('leaves errors to the reader [HOLD-51]', async (t) => {
    const unhandled: unknown[] = []
    const listen = (fault: unknown): void => void unhandled.push(fault)
    process.on('unhandledRejection', listen)
    t.after(() => process.off('unhandledRejection', listen))
    const { request, message, client } = await arrive(t, `${POST}Content-Length: 900\r\n\r\nx`)
    const handedOut = request.request()
    request.keepReading()
    const closed = new Promise((resolve) => message.on('close', resolve))

    client.destroy()
    await closed
    await pause(5)

    assert.deepEqual(unhandled, [])
    await assert.rejects(async () => request.bytes(), BadRequestException)
    await assert.rejects(handedOut.text())
  })
})

describe('NodeRequest.finishBody()', () => {
  it('invites a client that waits for it', async (t) => {
    const { request, client, received } = await arrive(
      t,
      `${POST}Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n`,
    )
    const finished = request.finishBody()
    await until(() => received() !== '')
    assert.equal(received(), 'HTTP/1.1 100 Continue\r\n\r\n')

    client.write('5\r\nhello\r\n0\r\n\r\n')

    await finished
  })
})

describe('NodeRequest.request()', () => {
  it('has no body where none was announced', async (t) => {
    const { request } = await arrive(t, `${POST}\r\n`)

    assert.equal(request.request().body, null)
  })
})

describe('NodeRequest.secure', () => {
  it('is that of the connection: encrypted, or not, or as the host says for a plain one', async (t) => {
    for (const [encrypted, origin] of [
      [true, 'https://app.test'],
      [false, 'http://app.test'],
    ] as const) {
      const { request, near } = await arrive(t, `${POST}\r\n`)
      Object.assign(near, { encrypted })

      assert.deepEqual([request.secure, request.origin], [encrypted, origin])
    }
  })
})
