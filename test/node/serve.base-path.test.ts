import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { type HttpContext } from 'sallyport'
import { StaticFiles } from 'sallyport/files'
import { CsrfMiddleware } from 'sallyport/middleware'
import { serve } from 'sallyport/node'
import { WebSocket, WebSocketServer } from 'ws'
import { site } from '../app/fixture.ts'
import { temporaryFolder } from '../files/fixture.ts'

// A proxy that strips the base path sends the path without it.
const WAYS = ['/accounts', '']

interface Served {
  readonly url: string
  readonly patterns: readonly (string | null)[]
}

async function served(t: TestContext): Promise<Served> {
  const { url: directory } = temporaryFolder({ 'app.css': 'body {}' })
  const assets = new StaticFiles({ directory, at: '/assets', fingerprint: true, rootFiles: ['app.css'] })
  const app = site(
    {
      'GET /': (context) => [context.path(), context.request().url, assets.url('app.css')],
      'GET /token': (context) => context.csrf().token(),
      'POST /form': (context: HttpContext) => context.path(),
      'GET /socket': () => undefined,
    },
    { basePath: '/accounts', middlewares: [CsrfMiddleware], configure: (each) => each.modules(assets) },
  )
  const patterns: (string | null)[] = []
  app.onResponse(({ pattern }) => patterns.push(pattern))
  const server = await serve(app, { port: 0, signals: [], host: '127.0.0.1' })
  t.after(() => server.close())
  const sockets = new WebSocketServer({ noServer: true })
  server.onUpgrade(({ context, message, socket, head }) => {
    sockets.handleUpgrade(message, socket, head, (client) => client.send(context.path()))
  })
  return { url: server.url, patterns }
}

describe('serve() of an application with a base path', () => {
  for (const way of WAYS) {
    const how = way === '' ? 'strips' : 'passes on'
    it(`sees what the browser sees when the proxy ${how} the base path [MEND-12]`, async (t) => {
      const { url, patterns } = await served(t)

      const home = (await (await fetch(`${url}${way}/`)).json()) as readonly string[]
      const head = await fetch(`${url}${way}/token`, { method: 'HEAD' })
      const options = await fetch(`${url}${way}/form`, { method: 'OPTIONS' })

      assert.deepEqual(home.slice(0, 2), ['/accounts/', `${url}/accounts/`])
      assert.equal(head.status, 200)
      assert.equal(options.headers.get('allow'), 'POST')
      assert.deepEqual(patterns, ['/accounts/', '/accounts/token', '/accounts/form'])
    })

    it(`serves assets below it when the proxy ${how} it [MEND-12]`, async (t) => {
      const { url } = await served(t)
      const [, , asset = ''] = (await (await fetch(`${url}${way}/`)).json()) as readonly string[]

      const file = await fetch(`${url}${way}${asset.replace(/^\/accounts/, '')}`)
      const rootFile = await fetch(`${url}${way}/app.css`)

      assert.match(asset, /^\/accounts\/assets\/app\.[0-9a-f]{12}\.css$/)
      assert.equal(await file.text(), 'body {}')
      assert.equal(await rootFile.text(), 'body {}')
    })

    it(`compares origins, which have no path, when the proxy ${how} it [MEND-12]`, async (t) => {
      const { url } = await served(t)
      const first = await fetch(`${url}${way}/token`)
      const token = await first.text()
      const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const post = (headers: Record<string, string>, sent = token): Promise<Response> =>
        fetch(`${url}${way}/form`, {
          method: 'POST',
          headers: { cookie, ...headers },
          body: new URLSearchParams({ _csrf: sent }),
        })

      const own = await post({ origin: url, 'sec-fetch-site': 'same-origin' })
      const foreign = await post({ origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' })
      const forged = await post({ origin: url }, 'forged')

      assert.deepEqual([own.status, await own.text()], [200, '/accounts/form'])
      assert.equal(foreign.status, 403)
      assert.equal(forged.status, 403)
    })

    it(`opens WebSockets when the proxy ${how} it [MEND-12]`, async (t) => {
      const { url } = await served(t)

      const socket = new WebSocket(`${url.replace('http', 'ws')}${way}/socket`, { origin: url })
      const [message] = (await once(socket, 'message')) as unknown[]
      socket.terminate()

      assert.equal(String(message), '/accounts/socket')
    })
  }
})
