import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, it, type TestContext } from 'node:test'
import { App, defineModule, HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { ForbiddenException, TooManyRequestsException } from 'sallyport/http'
import { CsrfMiddleware } from 'sallyport/middleware'
import { serve } from 'sallyport/node'
import { type Actions, param } from 'sallyport/routing'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { TestClient } from 'sallyport/testing'
import { WebSocket } from 'ws'

const NAMES = [
  'login',
  'logout',
  'rotated',
  'refused',
  'throttled',
  'undeclared-hash',
  'store-failed',
  'session-malformed',
]

class DoorController {
  static readonly actions = {
    login: [],
    logout: [],
    forbidden: [],
    throttled: [],
    status: [param.int('status')],
    post: [],
  } satisfies Actions<DoorController>

  readonly #context = inject(HttpContext)
  readonly #sessions = inject(SessionAuthentication)

  async login(): Promise<null> {
    await this.#sessions.login(this.#context.session(), this.#context.auth(), 'u1', { name: 'Ada' })
    return null
  }

  async logout(): Promise<null> {
    await this.#sessions.logout(this.#context.session(), this.#context.auth())
    return null
  }

  forbidden(): never {
    throw new ForbiddenException()
  }

  throttled(): never {
    throw new TooManyRequestsException(3)
  }

  status(status: number): Response {
    return new Response('no', { status })
  }

  post(): null {
    return null
  }
}

function client(store = new MemorySessionStore(), configure: (app: App) => unknown = () => null): TestClient {
  const module = defineModule('Doors', (doors) =>
    doors
      .mount('/')
      .middleware(CsrfMiddleware)
      .routes((routes) => {
        routes.get('/login', [DoorController, 'login'])
        routes.get('/logout', [DoorController, 'logout'])
        routes.get('/forbidden', [DoorController, 'forbidden'])
        routes.get('/throttled', [DoorController, 'throttled'])
        routes.get('/status/{status}', [DoorController, 'status'])
        routes.post('/post', [DoorController, 'post'])
      }),
  )
  const app = App.create()
    .modules(module)
    .configure((definitions) => definitions.set(SessionStore, store))
  configure(app)
  return new TestClient(app)
}

/** Hears every channel until the test ends. */
function listen(t: TestContext): [string, unknown][] {
  const heard: [string, unknown][] = []
  for (const name of NAMES) {
    const listener = (message: unknown): number => heard.push([name, message])
    subscribe(`sallyport:${name}`, listener)
    t.after(() => unsubscribe(`sallyport:${name}`, listener))
  }
  return heard
}

describe('the security events', () => {
  it('report login and logout with the account, and rotation with nothing', async (t) => {
    const browser = client()
    const heard = listen(t)

    await browser.get('/login')
    await browser.get('/logout')

    assert.deepEqual(heard, [
      ['login', { identifier: 'u1' }],
      ['rotated', null],
      ['logout', { identifier: 'u1' }],
    ])
  })

  it('report refusals and throttling with a code and the request', async (t) => {
    const browser = client()
    const heard = listen(t)

    await browser.get('/forbidden')
    await browser.get('/throttled')
    await browser.post('/post')

    const { reason = '' } = (heard.at(-1)?.[1] ?? {}) as { reason?: string }
    assert.match(reason, /_csrf/)
    const facts = heard.map(([name, message]) => [name, { ...(message as object), request: '' }])
    assert.deepEqual(facts, [
      ['refused', { code: 'ERR_AUTH_FORBIDDEN', status: 403, request: '', reason: null }],
      ['throttled', { code: 'ERR_HTTP_TOO_MANY_REQUESTS', status: 429, request: '' }],
      ['refused', { code: 'ERR_CSRF_INVALID_TOKEN', status: 403, request: '', reason }],
    ])
  })

  it('report a response by its status, whoever made it, and each once [PAGE-18]', async (t) => {
    class Turned {
      process(response: Response): Response {
        return response.status === 402 ? new Response('slow down', { status: 429 }) : response
      }
    }
    const browser = client(new MemorySessionStore(), (app) => app.middleware().outgoing(new Turned()))
    const heard = listen(t)

    for (const status of [200, 400, 401, 402, 403, 404, 429, 500, 503]) await browser.get(`/status/${status}`)

    assert.deepEqual(
      heard.map(([name, message]) => [name, { ...(message as object), request: '' }]),
      [
        ['refused', { code: null, status: 401, request: '', reason: null }],
        ['throttled', { code: null, status: 429, request: '' }],
        ['refused', { code: null, status: 403, request: '', reason: null }],
        ['throttled', { code: null, status: 429, request: '' }],
      ],
    )
    assert.ok(heard.every(([, message]) => (message as { request: string }).request !== ''))
  })

  it('report a refusal that an application shows as something else', async (t) => {
    const browser = client(new MemorySessionStore(), (app) =>
      app.errors({ render: () => new Response('Nothing here', { status: 404 }) }),
    )
    const heard = listen(t)

    const { status } = await browser.get('/forbidden')

    assert.equal(status, 404)
    assert.deepEqual(
      heard.map(([name, message]) => [name, (message as { code: string }).code]),
      [['refused', 'ERR_AUTH_FORBIDDEN']],
    )
  })

  it('report a page of another origin that is refused a WebSocket', async (t) => {
    const server = await serve(App.create(), { port: 0, signals: [] })
    t.after(() => server.close())
    server.onUpgrade(() => undefined)
    const heard = listen(t)

    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/`, { origin: 'https://evil.example' })
    await new Promise((resolve) => socket.on('error', resolve))

    assert.deepEqual(
      heard.map(([name, message]) => [name, (message as { status: number }).status]),
      [['refused', 403]],
    )
  })

  it('report a store that fails, and never a session identifier', async (t) => {
    const store = new MemorySessionStore()
    const cause = new Error('connection refused')
    const browser = client(store)
    await browser.get('/login')
    store.read = () => Promise.reject(cause)
    const heard = listen(t)

    const answer = await browser.get('/logout')

    assert.equal(answer.status, 503)
    assert.deepEqual(heard, [['store-failed', { operation: 'read', cause }]])
    assert.ok(!JSON.stringify(heard).includes(browser.cookie('sid') ?? 'no cookie'))
  })
})
