import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import { App, Clock, Controller, defineModule, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { CsrfMiddleware } from 'sallyport/middleware'
import type { Actions } from 'sallyport/routing'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { FrozenClock, TestClient } from 'sallyport/testing'

class DoorController extends Controller {
  static readonly actions = { form: [], login: [], who: [] } satisfies Actions<DoorController>

  readonly #sessions = inject(SessionAuthentication)

  async form(): Promise<string> {
    return this.context.csrf().token()
  }

  async login(): Promise<null> {
    await this.#sessions.login(this.context.session(), this.context.auth(), 'u1', { name: 'Ada' })
    return null
  }

  async who(): Promise<object> {
    return { identifier: await this.#sessions.identifier(this.context.session()) }
  }
}

function browser(clock = new FrozenClock()): TestClient {
  const module = defineModule('Doors', (doors) =>
    doors
      .mount('/')
      .middleware(CsrfMiddleware)
      .routes((routes) => {
        routes.get('/login', [DoorController, 'form'])
        routes.post('/login', [DoorController, 'login'])
        routes.get('/who', [DoorController, 'who'])
      }),
  )
  const store = new MemorySessionStore({ clock })
  const app = App.create()
    .modules(module)
    .configure((definitions) => definitions.set(SessionStore, store).set(Clock, clock))
  return new TestClient(app)
}

const tokenOf = async (client: TestClient): Promise<string> => (await client.get('/login')).text()
const logIn = (client: TestClient, token: string): Promise<Response> =>
  client.post('/login', { form: { _csrf: token } })

/** Logs in, and never hears of it. */
async function loseLogin(client: TestClient): Promise<void> {
  const token = await tokenOf(client)
  assert.equal((await logIn(client.clone(), token)).status, 204)
}

describe('a browser whose login response was lost', () => {
  it('signs in with a page that it loads afterwards, at once and without waiting', async () => {
    const user = browser()
    const token = await tokenOf(user)
    const lost = user.clone()
    await logIn(lost, token)

    const page = await user.get('/login')
    const login = await logIn(user, await page.text())

    assert.deepEqual(page.headers.getSetCookie(), [])
    assert.equal(login.status, 204)
    assert.deepEqual(await (await user.get('/who')).json(), { identifier: 'u1' })
    assert.notEqual(user.cookie('sid'), lost.cookie('sid'))
  })

  it('is refused with the form from before, and gets no cookie that could replace the new one [SESS-06]', async () => {
    const user = browser()
    const token = await tokenOf(user)
    await logIn(user.clone(), token)

    const refused = await logIn(user, token)

    assert.equal(refused.status, 403)
    assert.deepEqual(refused.headers.getSetCookie(), [])
  })

  it('cannot use a token that was issued for another ended identifier [CSRF-03]', async () => {
    const user = browser()
    const other = browser()
    await loseLogin(user)
    await loseLogin(other)

    const refused = await logIn(user, await tokenOf(other))

    assert.equal(refused.status, 403)
  })

  it('cannot use the token of the ended identifier in the session that came of it [SESS-06]', async () => {
    const user = browser()
    const token = await tokenOf(user)
    const tab = user.clone()
    await logIn(user, token)
    const stale = await tokenOf(tab)

    const refused = await logIn(user, stale)

    assert.equal(refused.status, 403)
  })

  it('is refused when the end is forgotten, and continues after reloading the page [HOLD-22]', async () => {
    const clock = new FrozenClock()
    const user = browser(clock)
    await loseLogin(user)
    const token = await tokenOf(user)
    clock.advance(31)

    assert.equal((await logIn(user, token)).status, 403)

    const login = await logIn(user, await tokenOf(user))
    assert.equal(login.status, 204)
    assert.deepEqual(await (await user.get('/who')).json(), { identifier: 'u1' })
  })
})

describe('a computed token', () => {
  // What the framework does, with an identifier of one's own choosing.
  const forge = (identifier: string): string => {
    const secret = hash('sha256', `sallyport ended ${identifier}`, 'buffer')
    return Buffer.concat([Buffer.alloc(32), secret]).toString('base64url')
  }

  it('is refused for an identifier that the store does not know [HOLD-22]', async () => {
    const identifier = 'A'.repeat(43)
    const headers = { cookie: `sid=${identifier}` }

    const response = await browser().post('/login', { headers, form: { _csrf: forge(identifier) } })

    assert.equal(response.status, 403)
    assert.deepEqual(response.headers.getSetCookie(), [])
  })

  it('is refused for a live identifier, and without one [HOLD-22]', async () => {
    const user = browser()
    await tokenOf(user)

    assert.equal((await logIn(user, forge(user.cookie('sid') ?? ''))).status, 403)
    assert.equal((await logIn(browser(), forge(''))).status, 403)
  })
})
