import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'

import { limitStall, watchIdleConnections } from '../../src/node/idle-connections.ts'

const LOOKS = 5
const LOOK_MILLISECONDS = 1000
const GET = 'GET / HTTP/1.1\r\nHost: app.test\r\n\r\n'

/** A client of a server whose connections may be idle for `LOOKS` looks. */
class Client {
  readonly #socket: Socket
  readonly #near: Socket
  readonly #close: () => Promise<void>
  #sent = 0
  #received = ''

  constructor(socket: Socket, near: Socket, close: () => Promise<void>) {
    this.#socket = socket
    this.#near = near
    this.#close = close
    socket.setEncoding('latin1').on('data', (chunk: string) => (this.#received += chunk))
    socket.on('error', () => undefined)
  }

  /** How many answers have come back. */
  get answers(): number {
    return this.#received.split('HTTP/1.1 200').length - 1
  }

  get isCut(): boolean {
    return this.#near.destroyed
  }

  /** Sends something, and waits until the server has read it. */
  async send(text: string): Promise<void> {
    this.#socket.write(text)
    this.#sent += text.length
    while (this.#near.bytesRead < this.#sent && !this.isCut) await turn()
    for (let i = 0; i < 10; i++) await turn()
  }

  /** Waits until so many answers have come back, or the connection is closed. */
  async answered(count: number): Promise<void> {
    while (this.answers < count && !this.#socket.closed) await turn()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy()
    await this.#close()
  }
}

async function open(t: TestContext, listener: RequestListener): Promise<Client> {
  // The looks are made by hand.
  t.mock.timers.enable({ apis: ['setInterval'] })
  const limit = LOOKS * LOOK_MILLISECONDS
  const server = createServer({ keepAliveTimeout: limit, keepAliveTimeoutBuffer: 0 }, listener)
  watchIdleConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen')
  const accepted = once(server, 'connection')
  const socket = connect(address.port, '127.0.0.1')
  const [near] = (await accepted) as [Socket]
  return new Client(socket, near, async () => {
    server.close()
    await once(server, 'close')
  })
}

function look(t: TestContext, times: number): void {
  for (let i = 0; i < times; i++) t.mock.timers.tick(LOOK_MILLISECONDS)
}

describe('watchIdleConnections()', () => {
  it('closes a connection that is idle for as long as allowed, and no sooner', async (t) => {
    await using client = await open(t, (_request, response) => response.end('x'))
    await client.send(GET)
    await client.answered(1)

    // The first one sees that something came in since.
    look(t, 1 + LOOKS - 1)
    assert.equal(client.isCut, false)

    look(t, 1)
    assert.equal(client.isCut, true)
  })

  it('lets a request take longer, and one that comes in time', async (t) => {
    const asked: (() => void)[] = []
    await using client = await open(t, (_request, response) => asked.push(() => response.end('x')))

    for (const count of [1, 2, 3]) {
      await client.send(GET)
      look(t, 3 * LOOKS)
      asked.pop()?.()
      await client.answered(count)
      look(t, LOOKS - 1)
    }

    assert.equal(client.answers, 3)
    assert.equal(client.isCut, false)
  })

  it('begins anew with each piece of a request', async (t) => {
    await using client = await open(t, (_request, response) => response.end('x'))
    await client.send(GET)
    await client.answered(1)

    for (const piece of ['GET / HT', 'TP/1.1\r\nHost: ', 'app.test\r\n', '\r\n']) {
      look(t, LOOKS)
      await client.send(piece)
    }
    await client.answered(2)

    assert.equal(client.answers, 2)
    assert.equal(client.isCut, false)
  })

  it('sets no timer for a request', async (t) => {
    let timers = 0
    const hook = createHook({ init: (_id, type) => void (type === 'Timeout' && timers++) })
    await using client = await open(t, (_request, response) => response.end('x'))
    await client.send(GET)
    await client.answered(1)

    hook.enable()
    for (const count of [2, 3]) {
      await client.send(GET)
      await client.answered(count)
    }
    hook.disable()

    assert.equal(timers, 0)
  })
})

describe('limitStall()', () => {
  it('cuts a connection on which nothing moves', async (t) => {
    await using client = await open(t, (request) => limitStall(request.socket, 20))
    await client.send(GET)

    await client.answered(1)

    assert.equal(client.answers, 0)
    assert.equal(client.isCut, true)
  })

  for (const end of ['with the response', 'when it is told so'] as const) {
    it(`ends ${end}`, async (t) => {
      let requests = 0
      await using client = await open(t, (request, response) => {
        requests++
        if (requests > 1) return void pause(100).then(() => response.end('x'))
        limitStall(request.socket, 20)
        if (end === 'with the response') return void response.end('x')
        limitStall(request.socket, 0)
        void pause(100).then(() => response.end('x'))
      })

      for (const count of [1, 2]) {
        await client.send(GET)
        await client.answered(count)
        assert.equal(client.answers, count)
      }
    })
  }
})
