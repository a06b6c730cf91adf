import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { App } from 'sallyport'
import { AccountSessions } from 'sallyport/auth'
import { MemorySessionStore, SessionPolicy } from 'sallyport/session'
import { FrozenClock, type TestClient } from 'sallyport/testing'
import { bootAccounts, must, shownTo, signInOn } from '../services/account-application.ts'
import { SpyStore } from '../session/spy-store.ts'

interface Machine {
  readonly app: App
  readonly clock: FrozenClock
  readonly store: MemorySessionStore
}

async function startMachine(): Promise<Machine> {
  const clock = new FrozenClock()
  const store = new MemorySessionStore({ clock })
  return { app: await bootAccounts(store, clock), clock, store }
}

async function whoIs(client: TestClient): Promise<string | null> {
  return (await shownTo(client)).who
}

describe('AccountSessions, when clocks differ', () => {
  it('ends a session that began before the clock was set back [ACCT-02]', async () => {
    const { app, clock, store } = await startMachine()
    clock.advance(600)
    const thief = await signInOn(app, 'ada', 'thief')
    clock.advance(-600)
    assert.equal(await whoIs(thief), null)

    await new AccountSessions(store, new SessionPolicy(), clock).endAll('ada')

    clock.advance(600)
    assert.equal(await whoIs(thief), null)
  })

  it('ends a session that a machine with a clock ahead has signed in [ACCT-02]', async () => {
    const { app, clock: ahead, store } = await startMachine()
    const clock = new FrozenClock()
    ahead.advance(120)
    const [thief, laptop] = [await signInOn(app, 'ada', 'thief'), await signInOn(app, 'ada', 'laptop')]
    const { sessions } = await shownTo(laptop)
    const handle = sessions.find(({ details }) => details['device'] === 'thief')?.handle ?? ''

    assert.equal(await new AccountSessions(store, new SessionPolicy(), clock).end('ada', handle), true)

    assert.deepEqual([await whoIs(thief), await whoIs(laptop)], [null, 'ada'])
  })

  it('ends a session that has expired by the policy of this process, but not by that of another [ACCT-02]', async () => {
    const { app, clock, store } = await startMachine()
    const thief = await signInOn(app, 'ada', 'thief')
    clock.advance(1800)
    const shorter = new SessionPolicy({ idleSeconds: 600, absoluteSeconds: 1200 })
    const sessions = new AccountSessions(store, shorter, clock)
    assert.deepEqual(await sessions.list('ada'), [])

    await sessions.endAll('ada')

    assert.equal(await whoIs(thief), null)
  })

  it('lists a session once that is rotated while a store lists [ACCT-01]', async () => {
    const clock = new FrozenClock()
    const store = new SpyStore(clock)
    const app = await bootAccounts(store, clock)
    const laptop = await signInOn(app, 'ada', 'laptop')
    // A store may return such a session under both identifiers.
    const list = store.sessionsOf.bind(store)
    store.sessionsOf = async (owner) => {
      const before = await list(owner)
      await must(laptop.clone(), '/rotate')
      return [...before, ...(await list(owner))]
    }

    const listed = await new AccountSessions(store, new SessionPolicy(), clock).list('ada')

    assert.deepEqual(
      listed.map(({ details }) => details['device']),
      ['laptop'],
    )
  })
})
