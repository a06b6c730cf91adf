import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { App, Controller, defineModule, type HttpContext } from 'sallyport'
import { type Middleware, type Next, UnauthorizedException } from 'sallyport/http'
import { serve, type Server, type ServeOptions, type UpgradeOptions } from 'sallyport/node'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws'
import { Faults } from '../app/fixture.ts'
import { CERTIFICATE, KEY } from './fixture/certificate.ts'
import { exchange, open, parse } from './raw.ts'

/** Knows who is there by the session. */
class ResolveUser implements Middleware {
  async process(context: HttpContext, next: Next): Promise<Response> {
    const name = await context.session().get<string>('name')
    if (name !== undefined) context.auth().authenticate({ name })
    return next()
  }
}

class RequireUser implements Middleware {
  process(context: HttpContext, next: Next): Promise<Response> {
    if (!context.auth().isAuthenticated()) throw new UnauthorizedException('Session')
    return next()
  }
}

class ChatController extends Controller {
  static readonly actions = { index: [], page: [], signInPost: [] }
  index() {}
  page() {
    return 'page'
  }
  async signInPost() {
    await this.context.session().set('name', 'Ada')
  }
}

interface Chat {
  readonly server: Server
  readonly faults: Faults
  /** Status and pattern of each response. */
  readonly heard: readonly string[]
  readonly url: string
  readonly cookie: string
}

/** A server that greets whoever is signed in and sends back what they say. */
async function chat(
  t: TestContext,
  options: ServeOptions = {},
  upgrades: UpgradeOptions = {},
): Promise<Chat> {
  const module = defineModule('Chat', (given) =>
    given.middleware(ResolveUser).routes((routes) => {
      routes.post('/sign-in', [ChatController, 'signInPost'])
      routes.get('/page', [ChatController, 'page'])
      routes.get('/', [ChatController, 'index']).middleware(RequireUser)
    }),
  )
  const app = App.create({ debug: false })
    .modules(module)
    .configure((definitions) => definitions.set(SessionStore, new MemorySessionStore()))
  const faults = new Faults()
  faults.listen(app)
  const heard: string[] = []
  app.onResponse(({ status, pattern }) => heard.push(`${status} ${pattern}`))
  const sockets = new WebSocketServer({ noServer: true })
  app.onClosing(() => {
    for (const client of sockets.clients) client.close(1001)
  })
  const server = await serve(app, { port: 0, signals: [], drainMilliseconds: 2000, ...options })
  t.after(() => server.close())
  server.onUpgrade(({ context, message, socket, head }) => {
    sockets.handleUpgrade(message, socket, head, (client) => {
      client.send(`Hello ${String(Reflect.get(context.auth().principal(), 'name'))}`)
      client.on('message', (data: Buffer) => client.send(String(data)))
    })
  }, upgrades)
  const response = await fetch(`http://127.0.0.1:${server.port}/chat/sign-in`, { method: 'POST' }).catch(
    () => null,
  )
  const cookie = response?.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { server, faults, heard, url: `ws://127.0.0.1:${server.port}/chat`, cookie }
}

/** What a client is told: the first message, or the status of the refusal. */
async function opened(url: string, options: ClientOptions = {}): Promise<string> {
  const client = new WebSocket(url, options)
  return new Promise((resolve, reject) => {
    client.on('message', (data: Buffer) => {
      resolve(String(data))
      client.close()
    })
    client.on('unexpected-response', (_request, response) => {
      resolve(`${response.statusCode} ${response.headers['x-content-type-options'] ?? ''}`)
      response.destroy()
    })
    client.on('error', reject)
  })
}

const HOUR = 3_600_000
const HANDSHAKE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]

describe('Server.onUpgrade()', () => {
  it('opens a WebSocket for a session, by the guards of its route [PAGE-18]', async (t) => {
    const { url, cookie, server } = await chat(t)
    const origin = server.url

    assert.equal(await opened(url, { origin, headers: { cookie } }), 'Hello Ada')
    assert.equal(await opened(url, { origin }), '401 nosniff')
    assert.equal(await opened(`${url}/none`, { origin, headers: { cookie } }), '404 nosniff')
  })

  it('carries messages both ways [PAGE-18]', async (t) => {
    const { url, cookie, server } = await chat(t)
    const client = new WebSocket(url, { origin: server.url, headers: { cookie } })
    await once(client, 'message')

    client.send('x'.repeat(100_000))
    const [data] = (await once(client, 'message')) as [Buffer]

    assert.equal(data.length, 100_000)
    client.close()
  })

  it('refuses pages of other origins, and a cookie without an origin [PAGE-18]', async (t) => {
    const { url, cookie, server } = await chat(t, {}, { origins: ['https://www.app.test'] })
    const ask = (headers: Record<string, string>): Promise<string> => opened(url, { headers })

    assert.equal(await ask({ cookie, origin: 'https://evil.test' }), '403 nosniff')
    assert.equal(await ask({ cookie, origin: 'null' }), '403 nosniff')
    assert.equal(await ask({ cookie, origin: server.url.replace('http:', 'https:') }), '403 nosniff')
    assert.equal(await ask({ cookie, origin: `${server.url}.evil.test` }), '403 nosniff')
    assert.equal(await ask({ cookie }), '403 nosniff')
    assert.equal(await ask({}), '401 nosniff')
    assert.equal(await ask({ cookie, origin: 'https://www.app.test' }), 'Hello Ada')
  })

  it('refuses what the server refuses of any request [PAGE-18]', async (t) => {
    const { server } = await chat(t, { origin: 'http://app.test' })
    const send = async (...lines: string[]): Promise<number> =>
      parse(await exchange(server.port, [...lines, ...HANDSHAKE, '', ''].join('\r\n'))).status

    assert.equal(await send('GET /chat HTTP/1.1', 'Host: app.test', 'Host: app.test'), 400)
    assert.equal(await send('GET /chat HTTP/1.1', 'Host: evil.test'), 421)
    assert.equal(await send('POST /chat HTTP/1.1', 'Host: app.test'), 400)
    assert.equal(await send('GET /chat HTTP/1.1', 'Host: app.test', 'Content-Length: 5'), 400)
    assert.equal(await send('GET //chat HTTP/1.1', 'Host: app.test'), 400)
  })

  it('answers other protocols as if they had not asked, and WebSockets where nothing accepts them [PAGE-18]', async (t) => {
    const { server } = await chat(t)
    const plain = await serve(App.create(), { port: 0, signals: [] })
    t.after(() => plain.close())
    const page = 'GET /chat/page HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n'
    const socket = ['GET / HTTP/1.1', 'Host: a', ...HANDSHAKE, '', ''].join('\r\n')

    assert.equal(parse(await exchange(server.port, page)).body, 'page')
    assert.equal(parse(await exchange(plain.port, socket)).status, 404)
  })

  it('ignores the wish in HTTP/1.0, and answers as if it had not been there [PAGE-18]', async (t) => {
    const { server, url, heard } = await chat(t)
    const ask = async (path: string, version: string) =>
      parse(
        await exchange(
          server.port,
          [`GET ${path} HTTP/${version}`, 'Host: a', ...HANDSHAKE, '', ''].join('\r\n'),
        ),
      )

    const page = await ask('/chat/page', '1.0')
    const closed = await ask('/chat', '1.0')

    assert.deepEqual([page.status, page.body], [200, 'page'])
    assert.equal(closed.status, 401)
    assert.deepEqual(heard.slice(-2), ['200 /chat/page', '401 /chat/'])
    assert.equal(await opened(url), '401 nosniff')
  })

  it('closes a refused connection, whatever its client does [PAGE-18]', async (t) => {
    const { server } = await chat(t)
    const client = await open(server.port)
    client.on('error', () => undefined)
    client.resume()

    client.write(['GET /chat HTTP/1.1', 'Host: a', ...HANDSHAKE, '', ''].join('\r\n'))
    const sending = setInterval(() => client.writable && client.write('x'), 20)
    await once(client, 'close')
    clearInterval(sending)

    assert.ok(client.destroyed)
  })

  it('outlives a client that leaves at any moment of the handshake [PAGE-18]', async (t) => {
    const { server, faults } = await chat(t)
    const head = ['GET /chat HTTP/1.1', 'Host: a', ...HANDSHAKE, '', ''].join('\r\n')

    for (const length of [20, 80, head.length, head.length])
      await open(server.port).then((client) => {
        client.on('error', () => undefined)
        client.write(head.slice(0, length))
        client.resetAndDestroy()
      })
    await pause(100)

    assert.equal((await fetch(`${server.url}/chat/page`)).status, 200)
    assert.deepEqual(faults.messages, [])
  })

  it('lets responses to earlier requests go first [PAGE-18]', async (t) => {
    const { server } = await chat(t)
    const upgrade = ['GET /chat HTTP/1.1', 'Host: a', ...HANDSHAKE, '', ''].join('\r\n')

    const received = await exchange(server.port, `GET /chat/page HTTP/1.1\r\nHost: a\r\n\r\n${upgrade}`)

    assert.match(received, /^HTTP\/1\.1 200 [^]*page[^]*HTTP\/1\.1 (?:400|401) /)
  })

  it('reports a handler that fails, and cuts the connection [PAGE-18]', async (t) => {
    const app = App.create({ debug: false }).modules(
      defineModule('Chat', (module) => module.routes((routes) => routes.get('/', [ChatController, 'index']))),
    )
    const faults = new Faults()
    faults.listen(app)
    const server = await serve(app, { port: 0, signals: [] })
    t.after(() => server.close())
    server.onUpgrade(async () => {
      await pause(1)
      throw new Error('no room')
    })

    await assert.rejects(opened(`ws://127.0.0.1:${server.port}/chat`))
    assert.deepEqual(faults.messages, ['no room'])
    assert.throws(() => server.onUpgrade(() => undefined), /once/)
    assert.throws(() => server.onUpgrade(() => undefined, { origins: ['app.test'] }), /a list of origins/)
  })

  it('ends WebSockets by onClosing(), so that closing does not wait for them [PAGE-18]', async (t) => {
    const { server, url, cookie } = await chat(t, { drainMilliseconds: HOUR })
    const client = new WebSocket(url, { origin: server.url, headers: { cookie } })
    await once(client, 'message')
    const closed = once(client, 'close')

    await server.close()

    assert.equal((await closed)[0], 1001)
  })

  it('onResponse() hears a WebSocket that opened as a 101, and a refusal with its status [PAGE-16]', async (t) => {
    const { server, url, cookie, heard } = await chat(t)
    const origin = server.url
    const headers = { cookie }

    await opened(url, { origin, headers })
    await opened(url, { origin })
    await opened(`${url}/none`, { origin, headers })
    await opened(url, { origin: 'http://evil.test', headers })
    await pause(20)

    assert.deepEqual(heard, ['204 /chat/sign-in', '101 /chat/', '401 /chat/', '404 null', '403 /chat/'])
  })

  it('works over TLS [PAGE-18]', async (t) => {
    const { server } = await chat(t, { tls: { key: KEY, cert: CERTIFICATE } })

    assert.match(server.url, /^https:/)
    const origin = server.url
    assert.equal(
      await opened(`wss://127.0.0.1:${server.port}/chat`, { origin, ca: CERTIFICATE }),
      '401 nosniff',
    )
  })

  it('leaves upgrades to a library that listens to the server itself [PAGE-18]', async (t) => {
    const server = await serve(App.create(), { port: 0, signals: [] })
    t.after(() => server.close())
    const sockets = new WebSocketServer({ server: server.node, path: '/own' })
    sockets.on('connection', (client) => client.send('own'))

    assert.equal(await opened(`ws://127.0.0.1:${server.port}/own`), 'own')
    assert.equal(
      await new Promise((resolve) =>
        get(`${server.url}/own`, (response) => resolve(response.resume().statusCode)),
      ),
      404,
    )
    sockets.close()
  })
})
