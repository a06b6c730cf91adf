import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'

import { App, Controller, defineModule, type HttpContext, inject, type Module } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Middleware, Next } from 'sallyport/http'
import { CsrfMiddleware } from 'sallyport/middleware'
import type { Actions } from 'sallyport/routing'
import { MemorySessionStore, SessionPolicy, SessionStore } from 'sallyport/session'
import { TestClient } from 'sallyport/testing'

import { Faults } from './fixture.ts'

class PageController extends Controller {
  static readonly actions = { hello: [], read: [], set: [], swallow: [] } satisfies Actions<PageController>

  hello(): string {
    return 'hello'
  }

  async read(): Promise<unknown> {
    return { value: (await this.context.session().get('a')) ?? null }
  }

  async set(): Promise<null> {
    await this.context.session().set('a', 1)
    return null
  }

  async swallow(): Promise<string> {
    await this.context
      .session()
      .set('a', 1)
      .catch(() => undefined)
    return 'as if nothing had happened'
  }
}

class IdentifyUser implements Middleware {
  readonly #sessions = inject(SessionAuthentication)

  async process(context: HttpContext, next: Next): Promise<Response> {
    await this.#sessions.identifier(context.session())
    return next()
  }
}

class Wizard implements Middleware {
  static readonly usesSession = true

  process(_: HttpContext, next: Next): Promise<Response> {
    return next()
  }
}

function pages(extend: (module: Module) => unknown = () => undefined): App {
  return App.create().modules(
    defineModule('Pages', (module) => {
      module.mount('/').routes((routes) => {
        routes.get('/', [PageController, 'hello'])
        routes.get('/read', [PageController, 'read'])
        routes.post('/set', [PageController, 'set'])
        routes.post('/swallow', [PageController, 'swallow'])
      })
      extend(module)
    }),
  )
}

const USERS: Readonly<Record<string, () => App>> = {
  'a policy of sessions': () => pages().configure((all) => all.set(SessionPolicy, new SessionPolicy())),
  'a session login': () =>
    pages().configure((all) => all.set(SessionAuthentication, new SessionAuthentication())),
  'CSRF protection of a module': () => pages((module) => module.middleware(CsrfMiddleware)),
  'CSRF protection of everything': () => {
    const app = pages()
    app.middleware().routed(CsrfMiddleware)
    return app
  },
  'an instance of it': () => {
    const app = pages()
    app.middleware().incoming(new CsrfMiddleware())
    return app
  },
  'a middleware that asks for the session login': () => {
    const app = pages()
    app.middleware().incoming(IdentifyUser)
    return app
  },
  'a middleware of a module that asks for the session login': () =>
    pages((module) => module.middleware(IdentifyUser)),
  'a middleware that says so': () => pages((module) => module.middleware(Wizard)),
}

describe('sessions without a named store', () => {
  let environment: string | undefined
  beforeEach(() => {
    environment = process.env['NODE_ENV']
    process.env['NODE_ENV'] = 'production'
  })
  afterEach(() => {
    if (environment === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = environment
  })

  for (const [what, application] of Object.entries(USERS)) {
    it(`do not boot in production with ${what}, and boot once a store is named [HOLD-27]`, async () => {
      await assert.rejects(
        application().boot(),
        /without a named session store.*definitions\.set\(SessionStore/,
      )

      const named = application().configure((all) => all.set(SessionStore, new MemorySessionStore()))
      assert.equal((await new TestClient(await named.boot()).get('/')).status, 200)
    })

    it(`boot in development with ${what} [HOLD-27]`, async () => {
      process.env['NODE_ENV'] = 'development'

      assert.equal((await new TestClient(await application().boot()).get('/')).status, 200)
    })
  }

  it('boot in production where nothing uses them [HOLD-27]', async () => {
    assert.equal(await (await new TestClient(await pages().boot()).get('/')).text(), 'hello')
  })

  for (const [method, path] of [
    ['GET', '/read'],
    ['POST', '/set'],
    ['POST', '/swallow'],
  ] as const) {
    it(`are refused in production on first use, which is reported: ${path} [HOLD-27]`, async () => {
      const faults = new Faults()
      const app = pages()
      faults.listen(app)
      const client = new TestClient(app)

      const response = await client.request(method, path)

      assert.equal(response.status, 500)
      assert.deepEqual(response.headers.getSetCookie(), [])
      assert.equal(faults.seen.length, 1)
      assert.match(faults.messages[0] ?? '', /without a named session store/)
      assert.equal((await client.get('/')).status, 200)
    })
  }

  for (const [what, group] of [
    ['CSRF protection', CsrfMiddleware],
    ['a middleware that says so', Wizard],
  ] as const) {
    it(`are found by a check in production for ${what} of a group, whose table is refused [HOLD-27]`, async () => {
      const guarded = (): App =>
        pages((module) =>
          module.claim('/guarded', (routes) => {
            routes.middleware(group).group((inner) => void inner.get('/', [PageController, 'hello']))
          }),
        )
      const refusal = new RegExp(
        `class ${group.name} .* GET .*without a named session store.*SessionStore, …`,
      )
      const faults = new Faults()
      const app = guarded()
      faults.listen(app)
      await app.boot()

      const { findings } = (await app.inspection()).audit()
      const statuses = []
      for (const path of ['/guarded', '/']) statuses.push((await new TestClient(app).get(path)).status)

      assert.deepEqual(
        findings
          .map(({ code, severity }) => `${severity} ${code}`)
          .filter((line) => line.includes('compile')),
        ['fault does-not-compile'],
      )
      assert.ok(findings.some(({ message }) => refusal.test(message)))
      assert.deepEqual(statuses, [500, 200])
      assert.equal(faults.seen.length, 1)
      assert.match(faults.messages[0] ?? '', refusal)

      const named = guarded().configure((all) => all.set(SessionStore, new MemorySessionStore()))
      assert.equal((await new TestClient(named).get('/guarded')).status, 200)
      process.env['NODE_ENV'] = 'development'
      assert.equal((await new TestClient(guarded()).get('/guarded')).status, 200)
    })
  }

  it('are refused for a foreign cookie too [HOLD-27]', async () => {
    const app = pages()
    new Faults().listen(app)
    const headers = { cookie: `sid=${'A'.repeat(43)}` }

    assert.equal((await new TestClient(app).get('/read', { headers })).status, 500)
  })
})

describe('a store in memory with a modified class', () => {
  const never = async (): Promise<never> => new Promise(() => undefined)
  const malformed = async (): Promise<unknown> => Promise.resolve({ data: { _auth: '"u1"' } })
  const stores: Readonly<Record<string, (read: () => unknown) => MemorySessionStore>> = {
    'a replaced method': (read) => Object.assign(new MemorySessionStore(), { read }),
    'a mocked method': (read) => {
      const store = new MemorySessionStore()
      mock.method(store, 'read', read as never)
      return store
    },
    'a mocked method of the class': (read) => {
      mock.method(MemorySessionStore.prototype, 'read', read as never)
      return new MemorySessionStore()
    },
    'a proxy': (read) =>
      new Proxy(new MemorySessionStore(), {
        get: (target, name): unknown => (name === 'read' ? read : Reflect.get(target, name, target)),
      }),
    'a class that extends it': (read) => {
      class Extended extends MemorySessionStore {
        override read(): Promise<never> {
          return read() as Promise<never>
        }
      }
      return new Extended()
    },
  }
  afterEach(() => mock.restoreAll())

  for (const [what, make] of Object.entries(stores)) {
    it(`is limited and checked like any other: ${what} [HOLD-25 HOLD-26]`, async () => {
      const headers = { cookie: `sid=${'A'.repeat(43)}` }
      const policy = new SessionPolicy({ storeTimeoutMilliseconds: 20 })
      const statuses = []
      for (const read of [never, malformed]) {
        const store = make(read)
        const app = pages().configure((all) => all.set(SessionStore, store).set(SessionPolicy, policy))
        new Faults().listen(app)
        const response = await new TestClient(app).get('/read', { headers })
        statuses.push(response.status)
        mock.restoreAll()
      }

      // Nobody who would be somebody: the malformed record is none.
      assert.deepEqual(statuses, [503, 200])
    })
  }
})
