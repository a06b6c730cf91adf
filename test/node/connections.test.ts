import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'

import { Connections } from '../../src/node/connections.ts'
import { open } from './raw.ts'

async function listening(
  t: TestContext,
): Promise<{ server: Server; connections: Connections; port: number }> {
  const server = createServer()
  const connections = new Connections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    connections.destroyAll()
    server.close()
  })
  return { server, connections, port: (server.address() as AddressInfo).port }
}

/** Both ends of a new connection. */
async function pair(server: Server, port: number): Promise<{ near: Socket; far: Socket }> {
  const accepted = once(server, 'connection')
  const far = await open(port)
  far.on('error', () => undefined)
  const [near] = (await accepted) as [Socket]
  return { near, far }
}

describe('Connections', () => {
  it('destroys every connection, even one that has left HTTP [HOLD-03]', async (t) => {
    const { server, connections, port } = await listening(t)
    server.on('connect', () => undefined)
    const [plain, tunnel] = [await pair(server, port), await pair(server, port)]
    const left = once(server, 'connect')
    tunnel.far.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')
    await left

    connections.destroyAll()

    assert.deepEqual([plain.near.destroyed, tunnel.near.destroyed], [true, true])
  })

  it('destroys only silent connections on request [HOLD-03]', async (t) => {
    const { server, connections, port } = await listening(t)
    const [silent, speaking] = [await pair(server, port), await pair(server, port)]
    speaking.far.write('GET / HT')
    while (speaking.near.bytesRead === 0) await new Promise((resolve) => setImmediate(resolve))

    connections.destroySilent()

    assert.deepEqual([silent.near.destroyed, speaking.near.destroyed], [true, false])
  })

  it('handles the error of a connection that has left HTTP, which has no other listener [HOLD-01]', async (t) => {
    const { server, port } = await listening(t)
    server.on('connect', () => undefined)
    const { near, far } = await pair(server, port)
    const left = once(server, 'connect')
    far.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')
    await left

    assert.doesNotThrow(() => near.emit('error', new Error('reset')))
  })

  it('knows the address of a client that has disconnected [R-39]', async (t) => {
    const { server, port } = await listening(t)
    const { near, far } = await pair(server, port)
    const closed = new Promise((resolve) => near.on('close', resolve))

    far.resetAndDestroy()
    near.resume()
    await closed

    assert.equal(near.remoteAddress, '127.0.0.1')
  })

  it('forgets a connection that has closed', async (t) => {
    const { server, connections, port } = await listening(t)
    const { near, far } = await pair(server, port)
    const closed = new Promise((resolve) => near.on('close', resolve))
    far.resetAndDestroy()
    near.resume()
    await closed
    let destroyed = 0
    near.destroy = () => (destroyed++, near)

    connections.destroyAll()

    assert.equal(destroyed, 0)
  })
})
