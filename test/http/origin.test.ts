import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, Controller, defineModule } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { serve } from 'sallyport/node'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { WebSocket, WebSocketServer } from 'ws'
import { FetchSource } from '../../src/http/internal.ts'
import { request, values } from '../node/raw.ts'

class OriginsController extends Controller {
  static readonly actions = { token: [], sendPost: [], open: [] }
  token() {
    return this.context.csrf().token()
  }
  sendPost() {
    const { context } = this
    return [context.origin(), new URL(context.request().url).origin]
  }
  open() {}
}

const origins = defineModule('Origins', (module) =>
  module.middleware(CsrfMiddleware).routes((routes) => {
    routes.get('/token', [OriginsController, 'token'])
    routes.post('/send', [OriginsController, 'sendPost'])
    routes.get('/open', [OriginsController, 'open'])
  }),
)

async function server(origin?: string) {
  const app = App.create({ debug: false })
    .modules(origins)
    .configure((definitions) => definitions.set(SessionStore, new MemorySessionStore()))
  const trustedProxies = { addresses: ['127.0.0.1'] }
  const options = { port: 0, signals: [], drainMilliseconds: 500, trustedProxies }
  const running = await serve(app, origin === undefined ? options : { ...options, origin })
  const sockets = new WebSocketServer({ noServer: true })
  running.onUpgrade(({ message, socket, head }) =>
    sockets.handleUpgrade(message, socket, head, (client) => client.close()),
  )
  return { port: running.port, [Symbol.asyncDispose]: () => running.close() }
}

/** Status of a form with a valid token, what the action knows, and the status of a WebSocket. */
async function send(port: number, headers: Readonly<Record<string, string>>) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const page = await request(port, ['GET /origins/token HTTP/1.1', 'Connection: close', ...lines])
  const cookie = values(page, 'set-cookie')[0]?.split(';')[0] ?? ''
  const form = await request(port, [
    'POST /origins/send HTTP/1.1',
    'Connection: close',
    ...lines,
    `Cookie: ${cookie}`,
    `X-CSRF-Token: ${page.body}`,
    'Content-Length: 0',
  ])
  const client = new WebSocket(`ws://127.0.0.1:${port}/origins/open`, { headers: { ...headers, cookie } })
  const socket = await new Promise<number>((resolve, reject) => {
    client.on('open', () => resolve(101))
    client.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    client.on('error', reject)
  })
  client.terminate()
  const known: unknown = form.status === 200 ? JSON.parse(form.body) : null
  return { form: form.status, known, socket }
}

// What a client is told must not depend on how a proxy or a setting writes the same origin.
const SPELLINGS: readonly (readonly [hosts: Readonly<Record<string, string>>, origin: string])[] = [
  [{ Host: 'app.example' }, 'http://app.example'],
  [{ Host: 'app.example:80' }, 'http://app.example'],
  [{ Host: 'APP.example:0080' }, 'http://app.example'],
  [{ Host: 'app.example:443' }, 'http://app.example:443'],
  [{ Host: 'app.example:8080' }, 'http://app.example:8080'],
  [{ Host: 'app.example:443', 'X-Forwarded-Proto': 'https' }, 'https://app.example'],
  [{ Host: 'app.example:80', 'X-Forwarded-Proto': 'https' }, 'https://app.example:80'],
  [{ Host: 'a', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'App.Example:443' }, 'https://app.example'],
  [{ Host: '[::1]:80' }, 'http://[::1]'],
  [{ Host: '[0:0:0::1]' }, 'http://[::1]'],
  [{ Host: 'XN--BCHER-KVA.example:80' }, 'http://xn--bcher-kva.example'],
]

describe('the origin of a request', () => {
  for (const [hosts, origin] of SPELLINGS)
    it(`is ${origin} for ${JSON.stringify(hosts)}, for forms and WebSockets alike [MEND-10]`, async () => {
      await using running = await server()

      const own = await send(running.port, { ...hosts, Origin: origin })
      const foreign = await send(running.port, { ...hosts, Origin: 'http://other.example' })

      assert.deepEqual(own, { form: 200, known: [origin, origin], socket: 101 })
      assert.deepEqual(foreign, { form: 403, known: null, socket: 403 })
    })

  it('is the same for a request of an adapter that made its URL from text [MEND-10]', () => {
    const made = Object.defineProperty(new Request('http://a/'), 'url', { value: 'http://App.example:80/x' })
    const source = new FetchSource(made, { bodyBytes: 0 })

    assert.equal(source.origin, 'http://app.example')
    assert.equal(source.request().url, 'http://app.example/x')
  })

  for (const setting of [
    'https://app.example',
    'https://app.example/',
    'https://app.example:443',
    'HTTPS://App.Example',
    'https://bücher.example',
  ])
    it(`is that of the setting ${setting}, however it is written [MEND-10]`, async () => {
      const { origin, host } = new URL(setting)
      await using running = await server(setting)

      for (const sent of [host, `${host}:443`, host.toUpperCase()])
        assert.deepEqual(await send(running.port, { Host: sent, Origin: origin }), {
          form: 200,
          known: [origin, origin],
          socket: 101,
        })
    })
})
