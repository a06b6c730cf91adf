import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { App, Clock, Controller, defineModule, inject } from 'sallyport'
import { AccountSessions, SessionAuthentication } from 'sallyport/auth'
import { type Actions, param } from 'sallyport/routing'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { Database, type NamedMigration } from 'sallyport-app/database'
import {
  currentOf,
  type EndedSessionTables,
  endedSessionTables,
  noteEnded,
  OpenSessions,
} from 'sallyport-app/sessions'
import { FrozenClock, TestClient } from 'sallyport/testing'
import { type Making, onEachEngine } from '../engines.ts'

interface People extends EndedSessionTables {
  person: { id: string }
}

const MIGRATIONS: readonly NamedMigration[] = [
  {
    name: 'people',
    statements: ['CREATE TABLE person (id TEXT PRIMARY KEY) STRICT', ...endedSessionTables('person')],
  },
]
const ID = 'ada'

/** Signs Ada in, and does what she does with her sessions. */
class SessionsController extends Controller {
  static readonly actions: Actions<SessionsController> = {
    enter: [],
    stands: [],
    endPost: [param.string('handle')],
    current: [],
    list: [],
    removePost: [],
  }

  readonly #database = inject(Database<People>)
  readonly #clock = inject(Clock)
  readonly #sessions = inject(SessionAuthentication)
  readonly #listed = inject(AccountSessions)
  readonly #open = inject(OpenSessions)

  async enter(): Promise<string> {
    const { context } = this
    await this.#sessions.login(context.session(), context.auth(), ID, {})
    return 'in'
  }

  async current(): Promise<string> {
    return (await currentOf(await this.#listed.list(ID), this.context.session())) ?? 'none'
  }

  async list(): Promise<Response> {
    const open = await this.#open.list(this.context.session(), ID)
    return this.json(open.map(({ startedAt, isCurrent }) => [startedAt.getTime() / 1000, isCurrent]))
  }

  async stands(): Promise<string> {
    const { stands } = await this.#open.held(this.context.session(), ID)
    return String(await stands(this.#database))
  }

  async endPost(handle: string): Promise<string> {
    await noteEnded(this.#database, ID, { handles: [handle], now: this.#clock.timestamp() })
    return 'noted'
  }

  async removePost(): Promise<string> {
    return String(await this.#open.remove(ID, this.context.session()))
  }
}

const sessions = defineModule('Sessions', (module) =>
  module
    .withoutConventionRouting()
    .controllers(SessionsController)
    .routes((routes) => {
      for (const action of ['enter', 'stands', 'current', 'list'] as const)
        routes.get(`/${action}`, [SessionsController, action])
      routes.post('/end/{handle}', [SessionsController, 'endPost'])
      routes.post('/remove', [SessionsController, 'removePost'])
    }),
)

interface Site {
  readonly database: Database<People>
  readonly clock: FrozenClock
  /** A browser that is signed in. */
  readonly browser: () => Promise<(method: 'GET' | 'POST', path: string) => Promise<string>>
}

async function site(test: TestContext, make: Making): Promise<Site> {
  const clock = new FrozenClock('2026-01-01T00:00:00Z')
  const database = await (await make<People>(test, MIGRATIONS))()
  test.after(() => database.destroy())
  await database.insertInto('person').values({ id: ID }).execute()
  const app = App.default()
    .modules(sessions)
    .configure((definitions) => {
      definitions
        .set(Database<People>, database)
        .set(Clock, clock)
        .set(SessionStore, new MemorySessionStore({ clock }))
    })
  const browser = async (): Promise<(method: 'GET' | 'POST', path: string) => Promise<string>> => {
    const client = new TestClient(app)
    await client.get('/sessions/enter')
    return async (method, path) => (await client.request(method, `/sessions${path}`)).text()
  }
  return { database, clock, browser }
}

onEachEngine('OpenSessions', (make) => {
  it('lets a session change nothing any more once another one has ended it', async (test) => {
    const { browser } = await site(test, make)
    const [one, other] = [await browser(), await browser()]
    const handle = await one('GET', '/current')

    assert.equal(await one('GET', '/stands'), 'true')
    await other('POST', `/end/${handle}`)

    assert.deepEqual([await one('GET', '/stands'), await other('GET', '/stands')], ['false', 'true'])
  })

  it('has the own session first and the newest after it, whichever was used since [RA-1901]', async (test) => {
    const { browser, clock } = await site(test, make)
    const browsers = []
    const began: number[] = []
    for (let i = 0; i < 5; i++) {
      clock.advance(10)
      browsers.push(await browser())
      began.push(clock.timestamp())
    }
    clock.advance(120)
    for (const each of browsers.toReversed()) await each('GET', '/stands')
    const [own, ...others] = began

    const listed = await browsers[0]?.('GET', '/list')

    const after = others.toReversed().map((startedAt) => [startedAt, false])
    assert.deepEqual(JSON.parse(listed ?? ''), [[own, true], ...after])
  })

  it('forgets after an hour which sessions have ended: no request is under way as long', async (test) => {
    const { browser, clock, database } = await site(test, make)
    const one = await browser()
    await one('POST', '/end/first')
    clock.advance(3600)

    await one('POST', '/end/second')
    await one('POST', '/end/second')

    const rows = await database.selectFrom('ended_session').select('handle').execute()
    assert.deepEqual(rows, [{ handle: 'second' }])
  })

  it('removes the stored sessions of an account, but for that of the request', async (test) => {
    const { browser } = await site(test, make)
    const [one, other] = [await browser(), await browser()]

    assert.equal(await one('POST', '/remove'), '1')
    assert.deepEqual([await one('GET', '/stands'), await other('GET', '/stands')], ['true', 'false'])
    assert.equal(await other('POST', '/remove'), '1')
  })
})
