import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, it, type TestContext } from 'node:test'

import { Authentication, PermissionSet, SessionAuthentication } from '../../src/auth/index.ts'
import type { Json } from '../../src/core/index.ts'
import { Csrf } from '../../src/csrf/index.ts'
import { ServiceUnavailableException } from '../../src/http/index.ts'
import { RequestSession } from '../../src/session/internal.ts'
import { type Session, SessionPolicy } from '../../src/session/index.ts'
import { FrozenClock } from '../../src/testing/index.ts'
import { SpyStore } from '../session/spy-store.ts'

const ada = { id: 'u1', name: 'Ada', email: 'ada@app.test', hash: 'x' }

/** A session that is nothing but its contract, and writes down what is asked of it. */
class NotedSession implements Session {
  readonly notes: string[] = []
  readonly data = new Map<string, Json>()

  async get<T>(key: string): Promise<T | undefined> {
    return this.data.get(key) as T | undefined
  }
  async has(key: string): Promise<boolean> {
    return this.data.has(key)
  }
  async set(key: string, value: Json): Promise<void> {
    this.notes.push(`set ${key}`)
    this.data.set(key, value)
  }
  async remove(key: string): Promise<void> {
    this.notes.push(`remove ${key}`)
    this.data.delete(key)
  }
  async regenerateId(): Promise<void> {
    this.notes.push('regenerate')
  }
  async destroy(): Promise<void> {
    this.notes.push('destroy')
    this.data.clear()
  }
}

class Browser {
  readonly clock = new FrozenClock()
  readonly store = new SpyStore(this.clock)
  readonly identity = new SessionAuthentication()
  cookie: string | undefined

  request(): RequestSession {
    return new RequestSession(
      { store: this.store, policy: new SessionPolicy(), clock: this.clock },
      this.cookie,
    )
  }

  async run<T>(work: (session: RequestSession, auth: Authentication) => Promise<T>): Promise<T> {
    const session = this.request()
    const result = await work(session, new Authentication())
    const change = session.seal() ? await session.commit() : null
    if (change !== null) this.cookie = change === '' ? undefined : change
    return result
  }
}

describe('the absolute lifetime of a session', () => {
  // Twelve hours by default. Idle ones end earlier, so the browser comes back every hour.
  async function outlives(browser: Browser, hours: number): Promise<boolean> {
    for (let hour = 0; hour < hours; hour++) {
      browser.clock.advance(3600)
      await browser.run((session) => session.get('cart'))
    }
    return browser.run((session) => session.has('cart'))
  }

  for (const deed of ['login', 'logout'] as const) {
    it(`${deed}() restarts it, because the session belongs to another identity`, async () => {
      const browser = new Browser()
      await browser.run((session) => session.set('cart', 1))
      assert.equal(await outlives(browser, 11), true)

      await browser.run((session, auth) =>
        deed === 'login'
          ? browser.identity.login(session, auth, 'u1', ada)
          : browser.identity.logout(session, auth),
      )
      assert.equal(await outlives(browser, 11), true)
      assert.equal(await outlives(browser, 1), false)
    })
  }
})

describe('SessionAuthentication.login()', () => {
  it('regenerates the identifier before it writes anything [SESS-02]', async () => {
    const session = new NotedSession()

    await new SessionAuthentication().login(session, new Authentication(), 'u1', ada)

    assert.deepEqual(session.notes, ['regenerate', 'set _auth', 'remove _csrf'])
  })

  it('works from any session and the authentication object alone [SESS-01]', async () => {
    const session = new NotedSession()
    const auth = new Authentication()
    const identity = new SessionAuthentication()

    await identity.login(session, auth, 'u1', ada)
    assert.equal(await identity.identifier(session), 'u1')
    await identity.logout(session, auth)
    assert.equal(await identity.identifier(session), null)
  })

  it('stores the identifier under _auth and a handle; neither principal nor permissions [SESS-03 SESS-04 PERM-10]', async () => {
    const browser = new Browser()

    await browser.run((session, auth) => browser.identity.login(session, auth, 'u1', ada, ['admin.access']))

    const records = await Promise.all([...browser.store.ids].map((id) => browser.store.read(id)))
    const [[key, account] = ['', ''], ...entries] = records.flatMap((record) => [...(record?.data ?? [])])
    assert.equal(key, '_account')
    assert.match(account, /^\{"handle":"[A-Za-z0-9_-]{22}","details":\{\}\}$/)
    assert.deepEqual(entries, [['_auth', '"u1"']])
  })

  it('authenticates the current request at once [SESS-05]', async () => {
    const auth = new Authentication()

    await new SessionAuthentication().login(new NotedSession(), auth, 'u1', ada, new Set(['a']))

    assert.equal(auth.isAuthenticated(), true)
    assert.equal(auth.principal(), ada)
    assert.equal(auth.allows('a'), true)
    assert.equal(auth.allows('b'), false)
  })

  it('accepts a permission set [SESS-05]', async () => {
    const auth = new Authentication()

    await new SessionAuthentication().login(
      new NotedSession(),
      auth,
      'u1',
      ada,
      new PermissionSet(['a']) as unknown as Iterable<string>,
    )

    assert.equal(auth.allows('a'), true)
  })

  it('drops the CSRF secret: a token issued before is no longer valid [SESS-06]', async () => {
    const browser = new Browser()
    const token = await browser.run((session) => new Csrf(session).token())

    await browser.run((session, auth) => browser.identity.login(session, auth, 'u1', ada))

    assert.equal(await browser.run((session) => new Csrf(session).verify(token)), false)
  })

  it('the old cookie is invalid at once, unrelated data is kept [SESS-02 SESS-17]', async () => {
    const browser = new Browser()
    await browser.run((session) => session.set('cart', ['x']))
    const before = browser.cookie

    await browser.run((session, auth) => browser.identity.login(session, auth, 'u1', ada))

    assert.notEqual(browser.cookie, before)
    assert.deepEqual(await browser.run((session) => session.get('cart')), ['x'])
    browser.cookie = before
    assert.equal(await browser.run((session) => browser.identity.identifier(session)), null)
    assert.equal(await browser.run((session) => session.get('cart')), undefined)
  })

  it('a session that an attacker planted never carries the identity', async () => {
    const browser = new Browser()
    browser.cookie = 'P'.repeat(43)
    const planted = browser.cookie

    await browser.run((session, auth) => browser.identity.login(session, auth, 'u1', ada))

    assert.notEqual(browser.cookie, planted)
    browser.cookie = planted
    assert.equal(await browser.run((session) => browser.identity.identifier(session)), null)
  })

  for (const [what, identifier, principal, permissions] of [
    ['an empty identifier', '', ada, []],
    ['a number for identifier', 7, ada, []],
    ['no identifier', undefined, ada, []],
    ['no principal', 'u2', null, []],
    ['a string for principal', 'u2', 'ada', []],
    ['an empty permission', 'u2', ada, ['a', '']],
    ['one text for permissions', 'u2', ada, 'admin'],
  ] as const) {
    it(`refuses ${what}; session and identity stay unchanged [OPEN-16]`, async () => {
      const session = new NotedSession()
      const auth = new Authentication()
      session.data.set('_auth', 'u1').set('_csrf', 'x')
      auth.authenticate(ada, ['kept'])

      const login = new SessionAuthentication().login(
        session,
        auth,
        identifier as string,
        principal as object,
        permissions,
      )

      await assert.rejects(login, TypeError)
      assert.deepEqual(session.notes, [])
      assert.equal(auth.allows('kept'), true)
      assert.equal(session.data.get('_auth'), 'u1')
    })
  }

  it('a store that fails signs nobody in [R-23]', async () => {
    const browser = new Browser()
    await browser.run((session) => session.set('cart', 1))
    const auth = new Authentication()
    browser.store.failing.add('read')

    await assert.rejects(
      browser.identity.login(browser.request(), auth, 'u1', ada),
      ServiceUnavailableException,
    )

    assert.equal(auth.isAuthenticated(), false)
  })
})

describe('SessionAuthentication.identifier()', () => {
  it('returns what login() stored, in later requests [SESS-07]', async () => {
    const browser = new Browser()
    await browser.run((session, auth) => browser.identity.login(session, auth, 'u-é 1', ada))

    assert.equal(await browser.run((session) => browser.identity.identifier(session)), 'u-é 1')
  })

  it('returns null when the session holds none [SESS-07]', async () => {
    const browser = new Browser()
    await browser.run((session) => session.set('cart', 1))

    assert.equal(await browser.run((session) => browser.identity.identifier(session)), null)
  })

  for (const stored of ['', null, 0, 7, true, ['u1'], { id: 'u1' }]) {
    it(`returns null for ${JSON.stringify(stored)} in the session [OPEN-16]`, async () => {
      const session = new NotedSession()
      session.data.set('_auth', stored)

      assert.equal(await new SessionAuthentication().identifier(session), null)
    })
  }

  it('opens no storage and sets no cookie without a session cookie [SESS-08 AUTH-23]', async () => {
    const browser = new Browser()

    assert.equal(await browser.run((session) => browser.identity.identifier(session)), null)

    assert.deepEqual(browser.store.calls, [])
    assert.equal(browser.cookie, undefined)
  })

  it('a store that fails is a 503, not an anonymous visitor [R-22]', async () => {
    const browser = new Browser()
    await browser.run((session, auth) => browser.identity.login(session, auth, 'u1', ada))
    browser.store.failing.add('read')

    await assert.rejects(browser.identity.identifier(browser.request()), ServiceUnavailableException)
  })
})

describe('SessionAuthentication.logout()', () => {
  async function loggedIn(): Promise<Browser> {
    const browser = new Browser()
    await browser.run(async (session, auth) => {
      await browser.identity.login(session, auth, 'u1', ada, ['a'])
      await session.set('cart', ['x'])
      await session.set('_flash', [{ kind: 'notice', text: 'hi' }])
      await session.set('_2fa', { identifier: 'u1', expires_at: 1 })
      await session.set('wizard', { step: 2 })
    })
    return browser
  }

  it('removes the reference [SESS-09]', async () => {
    const browser = await loggedIn()

    await browser.run((session, auth) => browser.identity.logout(session, auth))

    assert.equal(await browser.run((session) => session.has('_auth')), false)
    assert.equal(await browser.run((session) => browser.identity.identifier(session)), null)
  })

  it('removes the CSRF secret: a token issued before is no longer valid [SESS-10]', async () => {
    const browser = await loggedIn()
    const token = await browser.run((session) => new Csrf(session).token())
    assert.equal(await browser.run((session) => new Csrf(session).verify(token)), true)

    await browser.run((session, auth) => browser.identity.logout(session, auth))

    assert.equal(await browser.run((session) => session.has('_csrf')), false)
    assert.equal(await browser.run((session) => new Csrf(session).verify(token)), false)
  })

  it('keeps unrelated data: flash messages, carts and wizards [SESS-11 SESS-17]', async () => {
    const browser = await loggedIn()

    await browser.run((session, auth) => browser.identity.logout(session, auth))

    assert.deepEqual(await browser.run((session) => session.get('cart')), ['x'])
    assert.deepEqual(await browser.run((session) => session.get('_flash')), [{ kind: 'notice', text: 'hi' }])
    assert.deepEqual(await browser.run((session) => session.get('wizard')), { step: 2 })
  })

  it('never removes _2fa [SESS-14]', async () => {
    const browser = await loggedIn()

    await browser.run((session, auth) => browser.identity.logout(session, auth))

    assert.deepEqual(await browser.run((session) => session.get('_2fa')), { identifier: 'u1', expires_at: 1 })
  })

  it('clears the identity of the current request at once [SESS-12 AUTH-04]', async () => {
    const browser = await loggedIn()

    await browser.run(async (session, auth) => {
      auth.authenticate(ada, ['a'])
      await browser.identity.logout(session, auth)

      assert.equal(auth.isAuthenticated(), false)
      assert.equal(auth.allows('a'), false)
    })
  })

  it('regenerates the identifier: the old cookie is invalid at once [SESS-13]', async () => {
    const browser = await loggedIn()
    const old = browser.cookie

    await browser.run((session, auth) => browser.identity.logout(session, auth))

    assert.notEqual(browser.cookie, old)
    browser.cookie = old
    assert.equal(await browser.run((session) => session.get('cart')), undefined)
  })

  it('does nothing to the store and sends no cookie for an anonymous visitor without one', async () => {
    const browser = new Browser()

    await browser.run((session, auth) => browser.identity.logout(session, auth))

    assert.deepEqual(browser.store.calls, [])
    assert.equal(browser.cookie, undefined)
  })

  it('wins over a login’s stale write: a pending request cannot restore the identity [R-05]', async () => {
    const browser = await loggedIn()
    const stale = browser.request()
    await stale.set('cart', ['x', 'y'])

    await browser.run((session, auth) => browser.identity.logout(session, auth))
    assert.equal(await stale.commit(), null)

    assert.equal(await browser.run((session) => browser.identity.identifier(session)), null)
  })
})

describe('the security events of a session login', () => {
  function listen(t: TestContext): string[] {
    const heard: string[] = []
    for (const name of ['login', 'logout']) {
      const listener = (event: unknown): void =>
        void heard.push(`${name} ${(event as { identifier?: unknown }).identifier}`)
      subscribe(`sallyport:${name}`, listener)
      t.after(() => unsubscribe(`sallyport:${name}`, listener))
    }
    return heard
  }

  it('are published when the store has confirmed them, not before', async (t) => {
    const heard = listen(t)
    const browser = new Browser()
    await browser.run(async (session, auth) => {
      await browser.identity.login(session, auth, 'u1', ada)
      assert.deepEqual(heard, [])
    })
    assert.deepEqual(heard, ['login u1'])

    await browser.run((session, auth) => browser.identity.logout(session, auth))
    assert.deepEqual(heard, ['login u1', 'logout u1'])
  })

  it('are not published for a login that the store did not confirm or another request overtook, but for its logout', async (t) => {
    const browser = new Browser()
    await browser.run((session, auth) => browser.identity.login(session, auth, 'u1', ada))
    const heard = listen(t)
    const [late, later] = [browser.request(), browser.request()]
    await browser.identity.login(late, new Authentication(), 'u2', ada)
    await browser.identity.logout(later, new Authentication())
    await browser.run((session) => session.regenerateId())
    await late.commit()
    await later.commit()
    assert.deepEqual(heard, ['logout u1'])

    const failing = browser.request()
    await browser.identity.login(failing, new Authentication(), 'u3', ada)
    browser.store.failing.add('rotate')
    await assert.rejects(failing.commit(), ServiceUnavailableException)
    assert.deepEqual(heard, ['logout u1'])
  })

  it('are not published for a login that is withdrawn, which ends for the request too [HOLD-20]', async (t) => {
    const heard = listen(t)
    const browser = new Browser()
    const session = browser.request()
    const auth = new Authentication()
    await browser.identity.login(session, auth, 'u1', ada)

    session.withdraw()
    assert.equal(auth.isAuthenticated(), false)
    await session.commit()

    assert.deepEqual(heard, [])
  })

  it('publish the end of a login that is reverted, and of none that was never kept [HOLD-20]', async (t) => {
    const browser = new Browser()
    await browser.run((session) => session.set('cart', 1))
    const heard = listen(t)
    const [kept, lost] = [browser.request(), browser.request()]
    const auths = [new Authentication(), new Authentication()] as const
    await browser.identity.login(kept, auths[0], 'u1', ada)
    await browser.identity.login(lost, auths[1], 'u2', ada)
    await kept.commit()
    await lost.commit()
    assert.deepEqual(heard, ['login u1'])
    assert.deepEqual(
      auths.map((auth) => auth.isAuthenticated()),
      [true, true],
    )

    await lost.takeBack()
    assert.deepEqual(heard, ['login u1'])
    await kept.takeBack()

    assert.deepEqual(heard, ['login u1', 'logout u1'])
    assert.deepEqual(
      auths.map((auth) => auth.isAuthenticated()),
      [false, false],
    )
  })

  it('name the account', async (t) => {
    const heard = listen(t)
    const session = new NotedSession()
    const auth = new Authentication()
    const identity = new SessionAuthentication()

    await identity.login(session, auth, 'u1', ada)
    await identity.logout(session, auth)
    await identity.logout(session, auth)

    assert.deepEqual(heard, ['login u1', 'logout u1', 'logout null'])
  })
})
