import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, it, type TestContext } from 'node:test'

import type { App } from 'sallyport'
import { serve } from 'sallyport/node'

import { site } from '../app/fixture.ts'
import { exchange, open, parse, values } from './raw.ts'

const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)

function application(configure: (app: App) => unknown = () => undefined): App {
  return site({ 'GET /': () => 'hi' }, { configure })
}

/** What is reported where nobody listens goes to stderr. */
function reports(t: TestContext): () => string {
  const said: string[] = []
  t.mock.method(process.stderr, 'write', (piece: string) => said.push(piece) > 0)
  return () => said.join('')
}

// A connection that is kept has a timer of its client.
const CLOSED = { headers: { connection: 'close' } }

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

describe('serve(), by default', () => {
  it('listens only on the loopback address, and closes on SIGTERM and SIGINT', async () => {
    const count = (): number[] =>
      ['SIGTERM', 'SIGINT', 'SIGHUP'].map((signal) => process.listenerCount(signal))
    const before = count()

    const server = await serve(application(), { port: 0 })
    const during = count()
    await server.close()

    assert.equal(server.url, `http://127.0.0.1:${server.port}`)
    assert.deepEqual(
      during.map((each, i) => each - (before[i] ?? 0)),
      [1, 1, 0],
    )
    assert.deepEqual(count(), before)
  })
})

describe('Server.url', () => {
  if (hasIPv6) {
    it('writes an IPv6 address in brackets', async (t) => {
      const server = await serve(application(), { port: 0, host: '::1', signals: [] })
      t.after(() => server.close())

      assert.equal(server.url, `http://[::1]:${server.port}`)
      assert.equal((await fetch(server.url, CLOSED)).status, 200)
    })
  }
})

describe('a server that cannot listen', () => {
  it('rejects, and reports nothing else', async (t) => {
    const server = await serve(application(), { port: 0, signals: [] })
    t.after(() => server.close())
    const reported = reports(t)

    await assert.rejects(serve(application(), { port: server.port, signals: [] }), { code: 'EADDRINUSE' })

    assert.equal(reported(), '')
  })
})

describe('a connection that the system cannot accept', () => {
  it('is reported, and the server continues', async (t) => {
    const server = await serve(application(), { port: 0, signals: [] })
    t.after(() => server.close())
    const found = Promise.withResolvers<Socket>()
    const listen = (message: unknown): void => {
      const near =
        typeof message === 'object' && message !== null && 'socket' in message ? message.socket : null
      if (near instanceof Socket && near.localPort === server.port) found.resolve(near)
    }
    subscribe('net.server.socket', listen)
    const client = await open(server.port)
    const near = (await found.promise) as Socket & { server: NodeJS.EventEmitter }
    unsubscribe('net.server.socket', listen)
    const reported = reports(t)

    near.server.emit('error', new Error('accept EMFILE'))

    assert.equal(reported().split('Error: accept EMFILE').length, 2)
    assert.equal((await fetch(server.url, CLOSED)).status, 200)
    client.destroy()
  })
})

describe('what is refused at the socket of a plain origin', () => {
  it('says nothing about HTTPS [HOLD-06]', async (t) => {
    const server = await serve(application(), { port: 0, signals: [], origin: 'http://app.test' })
    t.after(() => server.close())

    const refused = parse(await exchange(server.port, 'CONNECT a:1 HTTP/1.1\r\nHost: app.test\r\n\r\n'))

    assert.equal(refused.status, 405)
    assert.deepEqual(values(refused, 'strict-transport-security'), [])
  })
})

describe('Server.close()', () => {
  it('leaves no timer behind, however long requests might have taken', async () => {
    const before = timers()
    const server = await serve(application(), { port: 0, signals: [], drainMilliseconds: 100_000 })
    const client = await open(server.port)
    client.write('GET / HTTP/1.1\r\nHost: app.test\r\n\r\n')
    await once(client, 'data')

    await server.close()

    // Other tests may have left some, which end meanwhile.
    assert.ok(timers() <= before, `${timers()} timers, ${before} before`)
    client.destroy()
  })

  it('by a signal reports a close hook that fails, and the process ends with 1 [HOLD-52]', async (t) => {
    const { exitCode } = process
    t.after(() => (process.exitCode = exitCode))
    const reported = reports(t)
    const closed = Promise.withResolvers<void>()
    const app = application((configured) => {
      configured.onClose(() => {
        closed.resolve()
        throw new Error('the database')
      })
    })
    await serve(app, { port: 0, signals: ['SIGWINCH'] })

    process.kill(process.pid, 'SIGWINCH')
    await closed.promise
    while (process.exitCode !== 1) await new Promise((resolve) => setTimeout(resolve, 2))

    assert.match(reported(), /the database/)
  })
})
