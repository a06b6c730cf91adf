import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AccountSessions } from 'sallyport/auth'
import { MemorySessionStore, SessionPolicy } from 'sallyport/session'
import { FrozenClock } from 'sallyport/testing'
import { ownerOf } from '../../src/session/internal.ts'

/** Notes how many calls of `destroy()` wait at the same time. */
class BusyStore extends MemorySessionStore {
  most = 0
  #waiting = 0

  override async destroy(id: string): Promise<void> {
    this.most = Math.max(this.most, ++this.#waiting)
    await new Promise((resolve) => setImmediate(resolve))
    await super.destroy(id)
    this.#waiting--
  }
}

describe('AccountSessions.endAll(), with 1,000 sessions', () => {
  it('ends all of them, and leaves the store time for others in between [ACCT-02]', async () => {
    const clock = new FrozenClock()
    const store = new BusyStore({ clock })
    const policy = new SessionPolicy()
    const now = clock.milliseconds()
    const start = { createdAt: now, expiresAt: now + 1000, owner: ownerOf('ada', policy) }
    for (let n = 0; n < 1000; n++) await store.create(`${n}`, new Map([['_auth', '"ada"']]), start)
    const sessions = new AccountSessions(store, policy, clock)

    assert.equal(await sessions.endAll('ada'), 1000)

    assert.deepEqual(await sessions.list('ada'), [])
    assert.ok(store.most <= 100, `${store.most} at once`)
  })
})
