import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, it, type TestContext } from 'node:test'
import { App, inject } from 'sallyport'
import { AccountSessions } from 'sallyport/auth'
import { MemorySessionStore, type Session, SessionPolicy, SessionStoreException } from 'sallyport/session'
import { FrozenClock, TestClient } from 'sallyport/testing'
import { RequestSession } from '../../src/session/internal.ts'
import { bootAccounts, must, type Shown, shownTo, signInOn } from '../services/account-application.ts'
import { SpyStore } from '../session/spy-store.ts'

async function start(): Promise<{ app: App; store: SpyStore; clock: FrozenClock }> {
  const clock = new FrozenClock()
  const store = new SpyStore(clock)
  return { app: await bootAccounts(store, clock), store, clock }
}

function devicesOf({ sessions }: Shown): unknown[] {
  return sessions.map(({ details }) => details['device']).sort()
}

function withCookie(app: App, identifier: string): TestClient {
  const client = new TestClient(app)
  client.setCookie(`sid=${identifier}`)
  return client
}

function heard(t: TestContext, name: string): unknown[] {
  const messages: unknown[] = []
  const listen = (message: unknown): void => void messages.push(message)
  subscribe(`sallyport:${name}`, listen)
  t.after(() => unsubscribe(`sallyport:${name}`, listen))
  return messages
}

describe('AccountSessions.list()', () => {
  it('tells when each session began and was last used, which is the present one, and its details [ACCT-01]', async () => {
    const { app, clock } = await start()
    const phone = await signInOn(app, 'ada', 'phone')
    clock.advance(600)
    const laptop = await signInOn(app, 'ada', 'laptop')
    await signInOn(app, 'eve', 'tablet')
    clock.advance(300)
    await shownTo(phone)

    const { sessions } = await shownTo(laptop)

    assert.deepEqual(
      sessions.map(({ startedAt, lastUsedAt, details, isCurrent }) => ({
        startedAt,
        lastUsedAt,
        details,
        isCurrent,
      })),
      [
        {
          startedAt: '2026-01-01T00:00:00.000Z',
          lastUsedAt: '2026-01-01T00:15:00.000Z',
          details: { device: 'phone' },
          isCurrent: false,
        },
        {
          startedAt: '2026-01-01T00:10:00.000Z',
          lastUsedAt: '2026-01-01T00:10:00.000Z',
          details: { device: 'laptop' },
          isCurrent: true,
        },
      ],
    )
  })

  it('gives nothing by which a session could be taken over [ACCT-01]', async () => {
    const { app, store } = await start()
    const laptop = await signInOn(app, 'ada', 'laptop')

    const text = JSON.stringify(await shownTo(laptop))

    const cookie = laptop.cookie('sid') ?? ''
    assert.notEqual(cookie, '')
    for (const secret of [cookie, ...store.ids]) assert.ok(!text.includes(secret))
    const handle = (await shownTo(laptop)).sessions[0]?.handle ?? ''
    for (const thief of [handle, handle + cookie.slice(handle.length)])
      assert.equal((await shownTo(withCookie(app, thief))).who, null)
  })

  it('keeps a handle through rotations and a second login of the same account [ACCT-01]', async () => {
    const { app } = await start()
    const laptop = await signInOn(app, 'ada', 'laptop')
    const before = (await shownTo(laptop)).sessions[0]?.handle

    await must(laptop, '/rotate')
    assert.equal((await shownTo(laptop)).sessions[0]?.handle, before)
    await must(laptop, '/login/ada/same-laptop')

    const { sessions } = await shownTo(laptop)
    assert.deepEqual([sessions[0]?.handle, sessions[0]?.details], [before, { device: 'same-laptop' }])
  })

  it('gives a new handle when another account signs in, or the same one after a logout [ACCT-01]', async () => {
    const { app } = await start()
    const laptop = await signInOn(app, 'ada', 'laptop')
    const handles = [(await shownTo(laptop)).sessions[0]?.handle]

    for (const path of ['/login/eve/laptop', '/login/ada/laptop', '/logout', '/login/ada/laptop']) {
      await must(laptop, path)
      if (path !== '/logout') handles.push((await shownTo(laptop)).sessions[0]?.handle)
    }

    assert.equal(new Set(handles).size, 4)
    assert.equal((await shownTo(laptop)).sessions.length, 1)
  })
})

describe('AccountSessions.end()', () => {
  it('ends one session; the others stay [ACCT-02]', async () => {
    const { app } = await start()
    const [phone, laptop] = [await signInOn(app, 'ada', 'phone'), await signInOn(app, 'ada', 'laptop')]
    const stolen = phone.clone()
    const handle = (await shownTo(phone)).sessions.find(({ isCurrent }) => isCurrent)?.handle

    assert.deepEqual(await must(laptop, `/end/${handle}`), { ended: true })

    for (const client of [phone, stolen]) assert.equal((await shownTo(client)).who, null)
    assert.deepEqual(devicesOf(await shownTo(laptop)), ['laptop'])
    assert.deepEqual(await must(laptop, `/end/${handle}`), { ended: false })
  })

  it('ends no session of another account, whatever handle is given [ACCT-02]', async () => {
    const { app } = await start()
    const [ada, eve] = [await signInOn(app, 'ada', 'phone'), await signInOn(app, 'eve', 'laptop')]
    const handle = (await shownTo(ada)).sessions[0]?.handle

    assert.deepEqual(await must(eve, `/end/${handle}`), { ended: false })

    assert.equal((await shownTo(ada)).who, 'ada')
  })

  it('finds a session that another request rotates at the same time [ACCT-02]', async () => {
    const { app, store } = await start()
    const [phone, laptop] = [await signInOn(app, 'ada', 'phone'), await signInOn(app, 'ada', 'laptop')]
    const handle = (await shownTo(phone)).sessions.find(({ isCurrent }) => isCurrent)?.handle

    let rotations = 0
    store.before = async (operation) => {
      if (operation === 'destroy' && ++rotations <= 3) await must(phone, '/rotate')
    }
    assert.deepEqual(await must(laptop, `/end/${handle}`), { ended: true })

    assert.equal(rotations, 4)
    assert.equal((await shownTo(phone)).who, null)
    assert.deepEqual(devicesOf(await shownTo(laptop)), ['laptop'])
  })

  it('answers with a 503 when a session is rotated faster than it can be ended [ACCT-02]', async () => {
    const { app, store } = await start()
    const phone = await signInOn(app, 'ada', 'phone')
    const laptop = await signInOn(app, 'ada', 'laptop')

    store.before = async (operation) => {
      if (operation === 'destroy') await must(phone, '/rotate')
    }

    assert.equal((await laptop.post('/end-others')).status, 503)
  })
})

describe('AccountSessions.endOthers()', () => {
  it('ends all sessions of the account except the one that asks, and publishes how many [ACCT-02]', async (t) => {
    const { app } = await start()
    const others = [await signInOn(app, 'ada', 'phone'), await signInOn(app, 'ada', 'tablet')]
    const [laptop, eve] = [await signInOn(app, 'ada', 'laptop'), await signInOn(app, 'eve', 'laptop')]
    const [events, logouts] = [heard(t, 'sessions-ended'), heard(t, 'logout')]

    assert.deepEqual(await must(laptop, '/end-others'), { ended: 2 })

    for (const client of others) assert.equal((await shownTo(client)).who, null)
    assert.deepEqual(devicesOf(await shownTo(laptop)), ['laptop'])
    assert.equal((await shownTo(eve)).who, 'eve')
    assert.deepEqual(await must(laptop, '/end-others'), { ended: 0 })
    assert.deepEqual(events, [{ identifier: 'ada', count: 2 }])
    assert.deepEqual(logouts, [{ identifier: 'ada' }, { identifier: 'ada' }])
  })

  it('keeps the session that asks when it rotates in the same request [ACCT-02]', async () => {
    const { app } = await start()
    const [phone, laptop] = [await signInOn(app, 'ada', 'phone'), await signInOn(app, 'ada', 'laptop')]

    assert.deepEqual(await must(laptop, '/rotate-and-end-others'), { ended: 1 })

    assert.equal((await shownTo(phone)).who, null)
    assert.deepEqual(devicesOf(await shownTo(laptop)), ['laptop'])
  })

  it('keeps the session that asks when another request rotates it at the same time [ACCT-02]', async () => {
    const { app, store } = await start()
    const [phone, laptop] = [await signInOn(app, 'ada', 'phone'), await signInOn(app, 'ada', 'laptop')]
    const asking = laptop.clone()
    let isFirst = true
    store.before = async (operation) => {
      if (operation !== 'sessionsOf' || !isFirst) return
      isFirst = false
      await must(laptop, '/rotate')
    }

    assert.deepEqual(await must(asking, '/end-others'), { ended: 1 })

    assert.equal((await shownTo(phone)).who, null)
    assert.deepEqual(devicesOf(await shownTo(laptop)), ['laptop'])
  })

  it('refuses a session on which the account is not signed in, and ends nothing', async () => {
    const { app, store, clock } = await start()
    const ada = await signInOn(app, 'ada', 'phone')
    const services = { store, policy: new SessionPolicy(), clock }
    const sessions = new AccountSessions(store, services.policy, clock)
    const anonymous = new RequestSession(services, undefined)
    const eve = new RequestSession(services, (await signInOn(app, 'eve', 'phone')).cookie('sid'))

    for (const session of [anonymous, eve])
      await assert.rejects(sessions.endOthers(session, 'ada'), TypeError)
    await assert.rejects(sessions.endOthers({} as Session, 'ada'), TypeError)

    assert.equal((await shownTo(ada)).who, 'ada')
  })
})

describe('AccountSessions.endAll()', () => {
  it('ends all sessions of an account, that of the request included [ACCT-02]', async () => {
    const { app } = await start()
    const clients = [await signInOn(app, 'ada', 'phone'), await signInOn(app, 'ada', 'laptop')]
    const eve = await signInOn(app, 'eve', 'laptop')

    assert.deepEqual(await must(clients[0] ?? eve, '/end-all'), { ended: 2 })

    for (const client of clients) assert.equal((await shownTo(client)).who, null)
    assert.equal((await shownTo(eve)).who, 'eve')
  })

  for (const path of ['/note', '/rotate', '/login/ada/phone', '/logout', '/end-others']) {
    it(`a request to ${path} that has read an ended session does not bring it back [ACCT-02]`, async () => {
      const { app, store } = await start()
      const [phone, laptop] = [await signInOn(app, 'ada', 'phone'), await signInOn(app, 'ada', 'laptop')]
      const stolen = phone.clone()
      const held = Promise.withResolvers<void>()
      const reached = Promise.withResolvers<void>()
      let reads = 0
      store.before = async (operation) => {
        if (operation === 'read' || reads++ > 0) return
        reached.resolve()
        await held.promise
      }
      const late = phone.post(path)
      await reached.promise

      await must(laptop, '/end-all')
      held.resolve()
      await late

      for (const client of [phone, stolen, laptop]) assert.equal((await shownTo(client)).who, null)
    })
  }
})

describe('AccountSessions', () => {
  it('lists no login whose response became an error, nor what has ended or expired [ACCT-03]', async () => {
    const { app, clock } = await start()
    const [phone, laptop] = [await signInOn(app, 'ada', 'phone'), await signInOn(app, 'ada', 'laptop')]
    const failing = new TestClient(app)

    assert.equal((await failing.post('/fail/ada')).status, 500)
    await must(phone, '/logout')

    assert.deepEqual(devicesOf(await shownTo(laptop)), ['laptop'])
    clock.advance(7200)
    assert.deepEqual(devicesOf(await shownTo(await signInOn(app, 'ada', 'tablet'))), ['tablet'])
  })

  it('costs login, rotation and logout no call of the store, and a request none [ACCT-04]', async () => {
    const { app, store } = await start()
    const laptop = new TestClient(app)
    const calls: Record<string, readonly string[]> = {}
    for (const path of ['/login/ada/laptop', '/login/ada/again', '/rotate', '/note', '/logout']) {
      store.reset()
      await must(laptop, path)
      calls[path] = [...store.calls]
    }

    assert.deepEqual(calls, {
      '/login/ada/laptop': ['create'],
      '/login/ada/again': ['read', 'rotate'],
      '/rotate': ['read', 'rotate'],
      '/note': ['read', 'update'],
      '/logout': ['read', 'rotate'],
    })
  })

  it('lists with one call, and ends with two lists and a call for each session [ACCT-04]', async () => {
    const { store, clock, app } = await start()
    await signInOn(app, 'ada', 'phone')
    await signInOn(app, 'ada', 'laptop')
    const sessions = new AccountSessions(store, new SessionPolicy(), clock)
    store.reset()

    await sessions.list('ada')
    await sessions.endAll('ada')
    await sessions.endAll('ada')

    assert.deepEqual(store.calls, [
      'sessionsOf',
      'sessionsOf',
      'destroy',
      'destroy',
      'sessionsOf',
      'sessionsOf',
    ])
  })

  it('names a store without the capability, and what to implement [ACCT-05]', async () => {
    class PlainStore extends MemorySessionStore {}
    Object.defineProperty(PlainStore.prototype, 'sessionsOf', { value: undefined })
    const errors: unknown[] = []
    const clock = new FrozenClock()
    const app = await bootAccounts(new PlainStore({ clock }), clock, (error) => errors.push(error))
    const laptop = await signInOn(app, 'ada', 'laptop')

    assert.equal((await laptop.get('/')).status, 500)
    assert.equal((await laptop.post('/end-all')).status, 500)
    await must(laptop, '/rotate')

    assert.equal(errors.length, 2)
    for (const error of errors) {
      assert.ok(error instanceof SessionStoreException)
      assert.equal(error.code, 'ERR_SESSION_STORE_UNSUPPORTED')
      assert.match(error.message, /^PlainStore cannot .* sessionsOf\(owner\)$/)
    }
  })

  it('answers with a 503 when the store fails, and publishes why [ACCT-05]', async (t) => {
    const { app, store } = await start()
    const laptop = await signInOn(app, 'ada', 'laptop')
    const phone = await signInOn(app, 'ada', 'phone')
    const events = heard(t, 'store-failed') as { operation: string }[]

    store.failing.add('sessionsOf')
    assert.equal((await laptop.get('/')).status, 503)
    assert.equal((await laptop.post('/end-all')).status, 503)
    store.failing.clear()
    store.failing.add('destroy')
    assert.equal((await laptop.post('/end-all')).status, 503)
    store.failing.clear()

    assert.deepEqual(
      events.map(({ operation }) => operation),
      ['list', 'end', 'end'],
    )
    assert.equal((await shownTo(phone)).who, 'ada')
  })

  it('keeps accounts of different areas apart [ACCT-01]', async () => {
    const clock = new FrozenClock()
    const store = new MemorySessionStore({ clock })
    const app = await bootAccounts(store, clock)
    await signInOn(app, 'ada', 'laptop')

    const sessions = (cookieName: string, area = cookieName): AccountSessions =>
      new AccountSessions(store, new SessionPolicy({ cookieName, area }), clock)

    assert.deepEqual(await sessions('staff').list('ada'), [])
    assert.equal(await sessions('staff').endAll('ada'), 0)
    assert.equal((await sessions('sid').list('ada')).length, 1)
    assert.equal((await sessions('sid-3001', 'sid').list('ada')).length, 1)
  })

  it('refuses an empty identifier', async () => {
    const sessions = new AccountSessions(new MemorySessionStore(), new SessionPolicy(), new FrozenClock())

    for (const identifier of ['', undefined as unknown as string]) {
      await assert.rejects(sessions.list(identifier), TypeError)
      await assert.rejects(sessions.end(identifier, 'x'), TypeError)
      await assert.rejects(sessions.endAll(identifier), TypeError)
      await assert.rejects(sessions.endOthers({} as Session, identifier), TypeError)
    }
  })

  it('does not boot in production without a named store [HOLD-27]', async (t) => {
    t.after(() => delete process.env['NODE_ENV'])
    class Users {
      readonly sessions = inject(AccountSessions)
    }
    process.env['NODE_ENV'] = 'production'
    const app = await App.create().boot()

    assert.throws(() => app.get(Users), /Cannot use AccountSessions in production/)
  })
})
