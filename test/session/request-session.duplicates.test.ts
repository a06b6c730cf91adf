import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { App, Controller, defineModule, inject } from 'sallyport'
import { Authentication, SessionAuthentication } from 'sallyport/auth'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import type { Actions } from 'sallyport/routing'
import { MemorySessionStore, SessionPolicy, SessionStoreException } from '../../src/session/index.ts'
import { RequestSession } from '../../src/session/internal.ts'
import { FrozenClock } from '../../src/testing/index.ts'
import { testSeveralCookies, UNKNOWN, worldOf } from '../services/several-cookies.ts'
import { Site } from './site.ts'

const policy = new SessionPolicy()
const authentication = new SessionAuthentication()

describe('a request with several session cookies, sessions in memory', () => {
  testSeveralCookies((clock) => new MemorySessionStore({ clock }))
})

describe('a request with several session cookies, sessions in SQLite', () => {
  testSeveralCookies((clock, test) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-duplicates-'))
    const store = new SqliteSessionStore({ path: join(folder, 'sessions.sqlite'), clock })
    test.after(() => {
      store.close()
      rmSync(folder, { recursive: true })
    })
    return store
  })
})

describe('a request with several session cookies', () => {
  it('confirms no end that the store did not make [HOLD-20 SESS-09]', async () => {
    for (const operation of ['read', 'destroy'] as const) {
      const site = new Site()
      const cookies = [await site.live(), await site.live()]
      const { store, clock } = site
      const session = new RequestSession({ store, policy, clock }, undefined, { duplicates: cookies })
      await authentication.logout(session, new Authentication())
      store.failing.add(operation)

      await assert.rejects(session.commit(), { status: 503 })
    }
  })

  it('ends one that the store finds malformed, and the others as well [SESS-09 HOLD-25]', async () => {
    const clock = new FrozenClock()
    const store = new MemorySessionStore({ clock })
    const world = worldOf(store, clock)
    const [ada, bob] = [await world.signedIn('ada'), await world.signedIn('bob')]
    const session = world.visit(ada, bob)
    const read = store.read.bind(store)
    let reads = 0
    store.read = (id) =>
      reads++ === 0
        ? Promise.reject(new SessionStoreException('ERR_SESSION_STORE_MALFORMED', 'The test'))
        : read(id)

    await authentication.logout(session, new Authentication())
    assert.equal(await session.commit(), '')

    store.read = read
    assert.deepEqual([await world.identity(ada), await world.identity(bob)], [null, null])
  })

  it('keeps no login when its response becomes an error, and still ends the identities [HOLD-20]', async () => {
    const clock = new FrozenClock()
    const world = worldOf(new MemorySessionStore({ clock }), clock)
    const [ada, bob] = [await world.signedIn('ada'), await world.signedIn('bob')]
    const session = world.visit(ada, bob)
    await authentication.login(session, new Authentication(), 'u9', {})
    const cookie = (await session.commit()) ?? ''

    assert.equal(await session.takeBack(), '')

    for (const each of [ada, bob, cookie]) assert.equal(await world.identity(each), null)
  })

  it('looks up 16, and refuses to end more [SESS-09]', async () => {
    const site = new Site()
    const { store, clock } = site
    const live = await site.live()
    for (const [count, status] of [
      [16, 200],
      [17, 400],
    ] as const) {
      const sent = [...Array.from({ length: count - 1 }, (_, at) => `${at}`.padStart(43, 'x')), live]
      const session = new RequestSession({ store, policy, clock }, undefined, { duplicates: sent })
      await session.destroy()
      store.reset()

      if (status === 200) assert.equal(await session.commit(), '')
      else await assert.rejects(session.commit(), { status })

      assert.equal(store.calls.length === 0, status === 400)
    }
  })
})

/** Signs in and out without any middleware. */
class DoorController extends Controller {
  static readonly actions: Actions<DoorController> = { inPost: [], outPost: [], index: [] }
  readonly #authentication = inject(SessionAuthentication)

  async inPost(): Promise<string> {
    await this.#authentication.login(this.context.session(), this.context.auth(), 'ada', {})
    return 'in'
  }

  async outPost(): Promise<string> {
    await this.#authentication.logout(this.context.session(), this.context.auth())
    return 'out'
  }

  async index(): Promise<{ who: string | null }> {
    return { who: await this.#authentication.identifier(this.context.session()) }
  }
}

describe('an application that receives two session cookies', () => {
  const url = 'http://app.test/site/door'
  function start(): App {
    return App.create().modules(defineModule('Site', (module) => module.controllers(DoorController)))
  }
  async function ask(app: App, path: string, cookie: string): Promise<Response> {
    const method = path === '' ? 'GET' : 'POST'
    return app.fetch(new Request(`${url}${path}`, { method, headers: { cookie } }))
  }

  for (const order of ['first', 'last']) {
    it(`confirms a logout when the live one comes ${order}, and the session is over [SESS-09 R-05]`, async () => {
      const app = start()
      const login = await ask(app, '/in', '')
      const live = (login.headers.getSetCookie()[0] ?? '').split(';')[0] ?? ''
      const pair = [live, `sid=${UNKNOWN}`]

      const logout = await ask(app, '/out', (order === 'first' ? pair : pair.toReversed()).join('; '))

      assert.equal(logout.status, 200)
      assert.match(logout.headers.getSetCookie()[0] ?? '', /^sid=; Max-Age=0;/)
      assert.deepEqual(await (await ask(app, '', live)).json(), { who: null })
    })
  }

  it('responds with 400 when there are too many to end [SESS-09]', async () => {
    const app = start()
    const sent = Array.from({ length: 17 }, (_, at) => `sid=${`${at}`.padStart(43, 'x')}`)

    const logout = await ask(app, '/out', sent.join('; '))

    assert.equal(logout.status, 400)
    assert.deepEqual(logout.headers.getSetCookie(), [])
  })
})
