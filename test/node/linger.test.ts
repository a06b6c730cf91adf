import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { describe, it } from 'node:test'

import { isLingering, lingerAtClose } from '../../src/node/linger.ts'

/** Both ends of a connection over the loopback interface. */
async function pair(): Promise<{ near: Socket; far: Socket; [Symbol.asyncDispose](): Promise<void> }> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen')
  const accepted = once(server, 'connection')
  const far = connect({ port: address.port, host: '127.0.0.1', allowHalfOpen: true })
  const [near] = (await accepted) as [Socket]
  for (const socket of [near, far]) socket.on('error', () => undefined)
  const dispose = async (): Promise<void> => {
    near.destroy()
    far.destroy()
    server.close()
    await once(server, 'close')
  }
  return { near, far, [Symbol.asyncDispose]: dispose }
}

describe('lingerAtClose()', () => {
  it('ends our half at once, and lets a client that still sends read the response', async () => {
    await using sockets = await pair()
    const { near, far } = sockets
    lingerAtClose(near)
    let answer = ''
    far.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk))
    far.write(Buffer.alloc(10_000_000))

    near.write('answer')
    near.destroySoon()
    await once(far, 'end')

    assert.equal(answer, 'answer')
    assert.equal(near.destroyed, false)
  })

  it('reads nothing more, and closes when the time is over', async () => {
    await using sockets = await pair()
    const { near, far } = sockets
    lingerAtClose(near)
    near.resume()

    near.destroySoon()
    const sending = setInterval(() => far.write(Buffer.alloc(64_000)), 1)
    await once(near, 'close')
    clearInterval(sending)

    assert.ok(near.bytesRead < 1_000_000, `${near.bytesRead} bytes were read`)
  })

  it('clears its time limit when the connection closes earlier', async () => {
    await using sockets = await pair()
    const { near } = sockets
    lingerAtClose(near)
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()

    near.destroySoon()
    assert.equal(timers(), before + 1)
    near.destroy()
    await once(near, 'close')

    assert.equal(timers(), before)
  })

  it('starts once, however often it is called [HOLD-02]', async () => {
    await using sockets = await pair()
    const { near } = sockets
    lingerAtClose(near)
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()

    for (let i = 0; i < 3; i++) near.destroySoon()

    assert.equal(timers(), before + 1)
  })
})

describe('isLingering()', () => {
  it('distinguishes a connection whose half has ended from others', async () => {
    await using sockets = await pair()
    const { near } = sockets
    lingerAtClose(near)
    assert.equal(isLingering(near), false)

    near.destroySoon()

    assert.equal(isLingering(near), true)
  })
})
