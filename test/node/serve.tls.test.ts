import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as secureRequest } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { serve, type Server, type ServeOptions } from 'sallyport/node'
import { Faults, site } from '../app/fixture.ts'
import { CERTIFICATE, KEY } from './fixture/certificate.ts'
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'

const TLS = { key: KEY, cert: CERTIFICATE }

async function secure(
  t: TestContext,
  options: ServeOptions = {},
): Promise<{ server: Server; faults: Faults }> {
  const faults = new Faults()
  const app = site(
    {
      'GET /': (context) => ({
        secure: context.isSecure(),
        origin: context.origin(),
        url: context.request().url,
      }),
      'POST /echo': (context) => new Response(context.request().body),
    },
    { configure: (given) => faults.listen(given) },
  )
  const server = await serve(app, { port: 0, signals: [], tls: TLS, drainMilliseconds: 5000, ...options })
  t.after(() => server.close())
  return { server, faults }
}

function ask(
  server: Server,
  method = 'GET',
  path = '/',
  body = '',
): Promise<{ status: number; text: string; hsts: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = secureRequest(
      server.url + path,
      { method, ca: CERTIFICATE, agent: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (piece: string) => (text += piece))
        response.on('end', () => {
          const hsts = String(response.headers['strict-transport-security'])
          resolve({ status: response.statusCode ?? 0, text, hsts })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

async function opened(server: Server): Promise<TLSSocket> {
  const socket = connect({ port: server.port, host: '127.0.0.1', ca: CERTIFICATE })
  socket.on('error', () => undefined)
  await once(socket, 'secureConnect')
  return socket
}

describe('serve() with tls', () => {
  it('serves HTTPS, and the application knows it [PAGE-18]', async (t) => {
    const { server } = await secure(t)

    const { text, hsts } = await ask(server)

    assert.match(server.url, /^https:\/\/127\.0\.0\.1:\d+$/)
    assert.deepEqual(JSON.parse(text), { secure: true, origin: server.url, url: `${server.url}/` })
    assert.match(hsts, /max-age=/)
    assert.equal((await ask(server, 'POST', '/echo', 'x'.repeat(300_000))).text.length, 300_000)
  })

  it('refuses at the socket over TLS, and cuts what is no TLS [PAGE-18]', async (t) => {
    const { server, faults } = await secure(t)
    const socket = await opened(server)
    let received = ''
    socket.setEncoding('latin1').on('data', (piece: string) => (received += piece))

    socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(socket, 'close')
    const plain = connectPlain(server.port, '127.0.0.1')
    plain.on('error', () => undefined)
    plain.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(plain, 'close')

    assert.match(received, /^HTTP\/1\.1 405 [^]*strict-transport-security/)
    assert.equal((await ask(server)).status, 200)
    assert.deepEqual(faults.messages, [])
  })

  it('outlives clients that reset, before and after CONNECT [PAGE-18]', async (t) => {
    const { server } = await secure(t)

    for (const text of [
      '',
      'GET / HT',
      'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
    ]) {
      const socket = await opened(server)
      socket.write(text)
      socket.destroy()
    }

    assert.equal((await ask(server)).status, 200)
  })

  it('does not wait for silent connections when it closes [PAGE-18]', async (t) => {
    const { server } = await secure(t)
    const socket = await opened(server)
    const closed = once(socket, 'close')
    const begun = performance.now()

    await server.close()
    await closed

    assert.ok(performance.now() - begun < onThisMachine(3000))
  })

  it('refuses options that cannot serve before anything boots [PAGE-18]', async () => {
    let hasBooted = false
    const app = site({}, { configure: (given) => given.configure(() => void (hasBooted = true)) })
    const wrong: unknown[] = [
      5,
      {},
      { key: KEY },
      { key: 'no key', cert: CERTIFICATE },
      { key: KEY, cert: 'none' },
    ]

    for (const tls of wrong)
      await assert.rejects(serve(app, { port: 0, tls } as ServeOptions), (error) => {
        assert.ok(error instanceof TypeError)
        assert.doesNotMatch(error.message, /PRIVATE KEY|no key/)
        return true
      })
    assert.equal(hasBooted, false)
  })
})
