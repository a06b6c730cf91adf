import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AccountSessions, Authentication, SessionAuthentication } from 'sallyport/auth'
import { SessionPolicy } from 'sallyport/session'
import { FrozenClock } from 'sallyport/testing'
import { type CookieChange, RequestSession } from '../../src/session/internal.ts'
import { SpyStore } from '../session/spy-store.ts'

const login = new SessionAuthentication()

/** Requests of the browsers of one account, each of which does several things. */
class Browsers {
  readonly #clock = new FrozenClock()
  readonly #store = new SpyStore(this.#clock)
  readonly #policy = new SessionPolicy()
  readonly sessions = new AccountSessions(this.#store, this.#policy, this.#clock)

  set beforeEnd(work: () => Promise<void> | void) {
    this.#store.before = (operation) => (operation === 'destroy' ? work() : undefined)
  }

  visit(cookie?: string): RequestSession {
    return new RequestSession({ store: this.#store, policy: this.#policy, clock: this.#clock }, cookie)
  }

  async signIn(): Promise<string> {
    const session = this.visit()
    await login.login(session, new Authentication(), 'ada', {})
    return (await end(session)) ?? assert.fail('nobody is signed in')
  }

  who(cookie: string): Promise<string | null> {
    return login.identifier(this.visit(cookie))
  }

  async handles(): Promise<string[]> {
    return (await this.sessions.list('ada')).map(({ handle }) => handle)
  }
}

function end(session: RequestSession): Promise<CookieChange> {
  session.seal()
  return session.commit()
}

const auth = new Authentication()
const DEEDS = {
  rotate: (session: RequestSession) => session.regenerateId(),
  logout: (session: RequestSession) => login.logout(session, auth),
  login: (session: RequestSession) => login.login(session, auth, 'ada', {}),
  loginEve: (session: RequestSession) => login.login(session, auth, 'eve', {}),
  destroy: (session: RequestSession) => session.destroy(),
} as const

type Deed = keyof typeof DEEDS

describe('AccountSessions.endOthers(), in a request that also changes its session', () => {
  const requests: readonly (readonly [before: readonly Deed[], after: readonly Deed[]])[] = [
    [['rotate'], []],
    [['login'], []],
    [['logout', 'login'], []],
    [['loginEve', 'login'], []],
    [['destroy', 'login'], []],
    [['login'], ['login']],
    [[], ['rotate']],
    [[], ['login']],
    [[], ['logout', 'login']],
  ]
  for (const [first, then] of requests) {
    it(`keeps it: ${[...first, 'endOthers', ...then].join(', ')} [ACCT-02]`, async () => {
      const browsers = new Browsers()
      const [laptop, phone] = [await browsers.signIn(), await browsers.signIn()]
      const session = browsers.visit(laptop)

      for (const deed of first) await DEEDS[deed](session)
      await browsers.sessions.endOthers(session, 'ada')
      for (const deed of then) await DEEDS[deed](session)
      const cookie = await end(session)

      assert.deepEqual([await browsers.who(cookie ?? laptop), await browsers.who(phone)], ['ada', null])
      assert.equal((await browsers.handles()).length, 1)
    })
  }
})

describe('SessionAuthentication.login(), after a logout in the same request', () => {
  it('keeps the handle of the session [ACCT-01]', async () => {
    const browsers = new Browsers()
    const session = browsers.visit(await browsers.signIn())
    const before = await browsers.handles()

    await login.logout(session, auth)
    await login.login(session, auth, 'ada', {})
    await end(session)

    assert.deepEqual(await browsers.handles(), before)
  })

  it('is found by endAll() when the request writes between a list and an end [ACCT-02]', async () => {
    const browsers = new Browsers()
    const laptop = await browsers.signIn()
    const session = browsers.visit(laptop)
    await login.logout(session, auth)
    await login.login(session, auth, 'ada', {})
    let written: CookieChange = null
    browsers.beforeEnd = async () => {
      browsers.beforeEnd = () => undefined
      written = await end(session)
    }

    assert.equal(await browsers.sessions.endAll('ada'), 1)

    assert.ok(typeof written === 'string')
    assert.equal(await browsers.who(written), null)
    assert.deepEqual(await browsers.handles(), [])
  })
})
