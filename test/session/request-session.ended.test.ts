import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, it } from 'node:test'

import { randomIdentifier } from '../../src/core/internal.ts'
import { ServiceUnavailableException } from '../../src/http/index.ts'
import { RequestSession } from '../../src/session/internal.ts'
import { SessionPolicy, type SessionRecord } from '../../src/session/index.ts'
import { FrozenClock } from '../../src/testing/index.ts'
import { Site } from './site.ts'
import { SpyStore } from './spy-store.ts'

/** A store whose every record has been rotated into another one. */
class EndlessStore extends SpyStore {
  reads = 0

  override async read(id: string): Promise<SessionRecord | null> {
    this.reads++
    const record = await super.read(id)
    if (this.reads === 1 || record === null) return record
    return { ...record, ended: true, successor: id }
  }
}

describe('RequestSession.endedSecret()', () => {
  it('is null without an identifier, and when the session is live', async () => {
    const site = new Site()

    assert.equal(await site.request().endedSecret(), null)
    assert.equal(await site.request('malformed').endedSecret(), null)
    assert.deepEqual(site.store.calls, [])
    assert.equal(await site.request(await site.live()).endedSecret(), null)
    assert.deepEqual(site.store.calls, ['read'])
  })

  it('is 32 bytes of the identifier itself, which the digest in the store does not reveal', async () => {
    const site = new Site()
    const [one, other] = [await site.ended(), await site.ended()]

    const secret = await site.request(one).endedSecret()

    assert.equal(secret?.byteLength, 32)
    assert.deepEqual(await site.request(one).endedSecret(), secret)
    assert.notDeepEqual(await site.request(other).endedSecret(), secret)
    assert.notDeepEqual(secret, hash('sha256', one, 'buffer'))
  })

  it('is null for an identifier that the store does not know, or no longer knows [HOLD-22]', async () => {
    const site = new Site()
    const ended = await site.ended()

    assert.equal(await site.request(randomIdentifier()).endedSecret(), null)
    site.clock.advance(31)
    assert.equal(await site.request(ended).endedSecret(), null)
  })
})

describe('RequestSession.isEnded', () => {
  it('is true only once an ended session was read, and until it is reopened', async () => {
    const site = new Site()
    const [fresh, live, ended] = [
      site.request(),
      site.request(await site.live()),
      site.request(await site.ended()),
    ]

    assert.deepEqual([fresh.isEnded, live.isEnded, ended.isEnded], [false, false, false])
    for (const session of [fresh, live, ended]) await session.has('a')
    assert.deepEqual([fresh.isEnded, live.isEnded, ended.isEnded], [false, false, true])
    ended.reopen()
    assert.equal(ended.isEnded, false)
  })

  it('goes with a response that writes nothing and sends no cookie', async () => {
    const site = new Site()
    const session = site.request(await site.ended())
    await session.set('b', 2)

    assert.equal(session.seal(), false)
    assert.equal(await session.commit(), null)
    assert.deepEqual(site.store.calls, ['read'])
  })

  it('ends with reopen(): values that are set create a new session', async () => {
    const site = new Site()
    const cookie = await site.ended()
    const session = site.request(cookie)
    await session.set('b', 2)

    session.reopen()

    assert.equal(session.seal(), true)
    const change = await session.commit()
    assert.match(change ?? '', /^[A-Za-z0-9_-]{43}$/)
    assert.notEqual(change, cookie)
    assert.deepEqual(site.store.calls, ['read', 'create'])
  })

  it('reopen() leaves a live session alone', async () => {
    const site = new Site()
    const session = site.request(await site.live())
    await session.set('b', 2)

    session.reopen()

    assert.equal(await session.endedSecret(), null)
    assert.equal(await session.commit(), null)
    assert.deepEqual(site.store.calls, ['read', 'update'])
  })
})

describe('RequestSession.entry()', () => {
  it('is a promise before the session is read, and the value afterwards', async () => {
    const site = new Site()
    const session = site.request(await site.live())

    const first = session.entry('a')

    assert.ok(first instanceof Promise)
    assert.equal(await first, 1)
    assert.equal(session.entry('a'), 1)
    assert.equal(session.entry('b'), undefined)
    assert.equal(site.request().entry('a'), undefined)
    assert.deepEqual(site.store.calls, ['read'])
  })
})

describe('RequestSession.isUsed', () => {
  for (const [deed, act] of Object.entries<(session: RequestSession) => unknown>({
    'get()': (session) => session.get('a'),
    'has()': (session) => session.has('a'),
    'entry()': (session) => session.entry('a'),
    'keysFrom()': (session) => session.keysFrom('a'),
    'set()': (session) => session.set('a', 1),
    'remove()': (session) => session.remove('a'),
    'regenerateId()': (session) => session.regenerateId(),
    'destroy()': (session) => session.destroy(),
  })) {
    it(`is true after ${deed}, whether there is a session or not [HOLD-21]`, async () => {
      const site = new Site()
      for (const session of [site.request(await site.live()), site.request()]) {
        assert.equal(session.isUsed, false)
        await act(session)
        assert.equal(session.isUsed, true)
      }
    })
  }
})

describe('RequestSession.commit() without anything to do', () => {
  it('makes no store call when the session was never used', async () => {
    const site = new Site()
    const session = site.request(await site.live())

    assert.equal(session.seal(), false)
    assert.equal(await session.commit(), null)
    assert.deepEqual(site.store.calls, [])
  })

  it('refuses changes after a response that wrote nothing', async () => {
    const site = new Site()
    const session = site.request()

    assert.equal(session.seal(), false)
    await assert.rejects(session.set('a', 1), /the response has been made/)
  })

  it('creates no session from nothing: rotated, set and removed, destroyed and set and removed', async () => {
    const site = new Site()
    const [rotated, removed, replaced] = [site.request(), site.request(), site.request(await site.live())]
    await rotated.regenerateId()
    await removed.set('a', 1)
    await removed.remove('a')
    await replaced.destroy()
    await replaced.set('a', 1)
    await replaced.remove('a')

    assert.equal(await rotated.commit(), null)
    assert.equal(await removed.commit(), null)
    assert.deepEqual(site.store.calls, ['read'])
    assert.equal(await replaced.commit(), '')
    assert.ok(!site.store.calls.includes('create'))
  })
})

describe('the size of a session', () => {
  it('excludes what is removed, replaced or destroyed, and is exact', async () => {
    const policy = new SessionPolicy({ maxBytes: 60 })
    const text = (octets: number): string => 'é'.repeat(octets / 2)
    const site = new Site()
    // Key and quotes are three octets.
    const first = site.request(undefined, policy)
    await first.set('a', text(56))
    const cookie = (await first.commit()) ?? ''

    const changes: readonly ((session: RequestSession) => Promise<void>)[] = [
      async (session) => session.set('a', text(56)),
      async (session) => {
        await session.remove('a')
        await session.set('b', text(56))
      },
      async (session) => {
        await session.remove('b')
        await session.destroy()
        await session.set('c', text(56))
      },
    ]
    for (const change of changes) {
      const session = site.request(cookie, policy)
      await change(session)
      await session.commit()
    }
    const exact = site.request(undefined, policy)
    await exact.set('ab', text(56))
    assert.notEqual(await exact.commit(), null)
    const more = site.request(undefined, policy)
    await more.set('abc', text(56))
    await assert.rejects(more.commit(), RangeError)
  })
})

describe('a session that is read and not changed', () => {
  it('is not written', async () => {
    const site = new Site()
    const session = site.request(await site.live())
    await session.get('a')

    assert.equal(session.seal(), false)
    assert.equal(await session.commit(), null)
    assert.deepEqual(site.store.calls, ['read'])
  })

  it('ends at its last millisecond, even if the store still returns it', async () => {
    const site = new Site()
    const cookie = await site.live()
    const expiresAt = site.clock.milliseconds()
    for (const [ends, value] of [
      [expiresAt, undefined],
      [expiresAt + 1, 7],
    ]) {
      const record = {
        data: new Map([['a', '7']]),
        ended: false,
        successor: null,
        createdAt: expiresAt - 1000,
        expiresAt: ends ?? 0,
      }
      site.store.read = () => Promise.resolve(record)

      assert.equal(await site.request(cookie).get('a'), value)
    }
  })
})

describe('a session that the store does not know', () => {
  it('leaves nothing to do when nothing is set', async () => {
    const site = new Site()
    const session = site.request(randomIdentifier())

    assert.equal(await session.get('a'), undefined)
    await session.remove('a')
    await session.set('b', 1)
    await session.remove('b')
    assert.equal(session.seal(), false)
  })
})

describe('a session that is still being read when the response is made', () => {
  it('has something to do, and keeps changes that are not awaited', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = site.request(cookie)

    const setting = session.set('b', 2)

    assert.equal(session.seal(), true)
    await session.commit()
    await setting
    assert.equal(await site.request(cookie).get('b'), 2)
  })
})

describe('two areas that share a store', () => {
  it('know nothing of each other’s sessions', async () => {
    const site = new Site()
    const admin = new SessionPolicy({ cookieName: 'admin' })
    const cookie = await site.live()
    const own = site.request(undefined, admin)
    await own.set('b', 2)
    const adminCookie = (await own.commit()) ?? ''

    assert.equal(await site.request(cookie, admin).get('a'), undefined)
    assert.equal(await site.request(adminCookie).get('b'), undefined)
    assert.equal(await site.request(adminCookie, admin).get('b'), 2)
    assert.equal(
      await site.request(adminCookie, new SessionPolicy({ cookieName: 'staff' })).get('b'),
      undefined,
    )
  })
})

describe('a session destroyed while others rotate it', () => {
  it('is followed to its live record, and no further', async () => {
    const site = new Site()
    const cookie = await site.live()
    const [ender, rotator] = [site.request(cookie), site.request(cookie)]
    await ender.destroy()
    await rotator.regenerateId()
    const successor = (await rotator.commit()) ?? ''
    site.store.reset()

    assert.equal(await ender.commit(), '')

    // The last read sees that it is ended, and was not rotated meanwhile.
    assert.deepEqual(site.store.calls, ['destroy', 'read', 'read', 'destroy', 'read'])
    assert.equal(await site.request(successor).get('a'), undefined)
  })

  it('is ended however long the request takes, if no other request moved it', async () => {
    const site = new Site()
    const ender = site.request(await site.live())
    await ender.destroy()

    site.clock.advance(3600)

    assert.equal(await ender.commit(), '')
  })

  it('is ended when its successor is gone already', async () => {
    const site = new Site()
    const cookie = await site.live()
    const ender = site.request(cookie)
    await ender.destroy()
    site.clock.advance(20)
    const rotator = site.request(cookie)
    await rotator.regenerateId()
    await rotator.commit()
    const read = site.store.read.bind(site.store)
    site.store.read = async (id) => {
      const record = await read(id)
      return record?.ended === true ? record : null
    }

    // The request is older than a tombstone gets, the one that it meets is not.
    site.clock.advance(20)
    assert.equal(await ender.commit(), '')
  })

  it('is not reported as ended when it cannot be found among too many rotations [R-22]', async () => {
    const clock = new FrozenClock()
    const store = new EndlessStore(clock)
    const services = { store, policy: new SessionPolicy(), clock }
    const first = new RequestSession(services, undefined)
    await first.set('a', 1)
    const session = new RequestSession(services, (await first.commit()) ?? '')
    await session.destroy()

    await assert.rejects(session.commit(), ServiceUnavailableException)

    assert.equal(store.reads, 33)
  })
})

describe('a store that fails', () => {
  it('is reported with the operation, and is the cause of the 503', async (t) => {
    const heard: unknown[] = []
    const listener = (event: unknown): void => void heard.push(event)
    subscribe('sallyport:store-failed', listener)
    t.after(() => unsubscribe('sallyport:store-failed', listener))
    const site = new Site()
    const cookie = await site.live()
    const causes: unknown[] = []
    const refused = (error: unknown): boolean => {
      assert.ok(error instanceof ServiceUnavailableException)
      causes.push(error.cause)
      return true
    }

    site.store.failing.add('update')
    const writing = site.request(cookie)
    await writing.set('a', 2)
    await assert.rejects(writing.commit(), refused)
    site.store.failing.add('read')
    await assert.rejects(site.request(cookie).get('a'), refused)

    assert.deepEqual(
      heard,
      causes.map((cause, index) => ({ operation: ['commit', 'read'][index], cause })),
    )
    assert.match(String(causes[0]), /while trying to update/)
    assert.match(String(causes[1]), /while trying to read/)
  })
})
