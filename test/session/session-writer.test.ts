import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { randomIdentifier } from '../../src/core/internal.ts'
import {
  type Lifetime,
  type SessionChanges,
  SessionPolicy,
  type SessionRecord,
} from '../../src/session/index.ts'
import type { RequestSession } from '../../src/session/internal.ts'
import { storedIdOf } from '../../src/session/session-identifier.ts'
import { listen } from './events.ts'
import { Site } from './site.ts'
import type { Operation } from './wrapped-store.ts'

const HOUR = 3_600_000

/** What the store holds under a cookie, without a word to the spy. */
async function recordOf(site: Site, cookie: string): Promise<SessionRecord | null> {
  const calls = [...site.store.calls]
  const record = await site.store.read(storedIdOf(cookie, new SessionPolicy()))
  site.store.reset()
  site.store.calls.push(...calls)
  return record
}

/** A request that rotates the session of a cookie. */
async function rotate(site: Site, cookie: string): Promise<string> {
  const session = site.request(cookie)
  await session.regenerateId()
  return (await session.commit()) ?? ''
}

/** Does something once, just before the store is asked for an operation. */
function onceBefore(site: Site, operation: Operation, work: () => Promise<unknown>): void {
  site.store.before = async (asked) => {
    if (asked !== operation) return
    site.store.before = () => undefined
    await work()
  }
}

/** The session of a cookie with its keys read and what a request does to it, not yet committed. */
async function begun(
  site: Site,
  cookie: string,
  work: (session: RequestSession) => Promise<void>,
): Promise<RequestSession> {
  const session = site.request(cookie)
  await work(session)
  site.store.reset()
  return session
}

describe('changes that a store receives', () => {
  it('contain each key in one of both: what was removed and then set is set', async () => {
    const site = new Site()
    const cookie = await site.live()
    const asked: SessionChanges[] = []
    const { store } = site
    const [update, rotateTo] = [store.update.bind(store), store.rotate.bind(store)]
    store.update = (id, changes, lifetime) => {
      asked.push(changes)
      return update(id, changes, lifetime)
    }
    store.rotate = (from, to, changes, lifetime) => {
      asked.push(changes)
      return rotateTo(from, to, changes, lifetime)
    }

    for (const isRotated of [false, true]) {
      const session = site.request(cookie)
      await session.remove('a')
      await session.remove('b')
      await session.set('a', 2)
      if (isRotated) await session.regenerateId()
      await session.commit()
    }

    assert.deepEqual(
      asked.map(({ set, removed }) => [[...set], [...removed]]),
      [
        [[['a', '2']], ['b']],
        [[['a', '2']], ['b']],
      ],
    )
  })

  it('dates a session that was ahead of the clock as of now [HOLD-50]', async () => {
    const site = new Site()
    const cookie = await site.live()
    site.clock.advance(-30)
    const now = site.clock.milliseconds()
    const session = site.request(cookie)
    await session.set('b', 2)

    await session.commit()

    const record = await recordOf(site, cookie)
    assert.deepEqual([record?.createdAt, [...(record?.data.keys() ?? [])]], [now, ['a', 'b']])
  })

  it('keep the creation time of a session that is changed or rotated, and date a renewed one as of now', async () => {
    const site = new Site()
    const began = site.clock.milliseconds()
    let cookie = await site.live()
    site.clock.advance(3600)
    const changing = site.request(cookie)
    await changing.set('b', 2)
    await changing.commit()

    const lifetimes: (Lifetime | null)[] = [await recordOf(site, cookie)]
    cookie = await rotate(site, cookie)
    lifetimes.push(await recordOf(site, cookie))
    const renewing = site.request(cookie)
    await renewing.regenerateId()
    renewing.renew()
    cookie = (await renewing.commit()) ?? ''
    lifetimes.push(await recordOf(site, cookie))

    assert.deepEqual(
      lifetimes.map((lifetime) => [lifetime?.createdAt, lifetime?.expiresAt]),
      [
        [began, began + 3 * HOUR],
        [began, began + 3 * HOUR],
        [began + HOUR, began + 3 * HOUR],
      ],
    )
  })

  it('are one new session when an anonymous client destroys first, or comes with an unknown cookie', async () => {
    const site = new Site()
    for (const cookie of [undefined, randomIdentifier()]) {
      const session = site.request(cookie)
      await session.destroy()
      await session.set('a', 1)
      site.store.reset()

      const next = await session.commit()

      assert.deepEqual(site.store.calls, ['create'])
      assert.equal(await site.request(next ?? '').get('a'), 1)
    }
  })

  it('are nothing when an unknown session is destroyed', async () => {
    const site = new Site()
    const session = await begun(site, randomIdentifier(), (unknown) => unknown.destroy())

    assert.equal(await session.commit(), null)
    assert.deepEqual(site.store.calls, [])
  })

  it('report a rotation that the store has confirmed, and no other', async (t) => {
    const site = new Site()
    const cookie = await site.live()
    const [first, second, failing] = [site.request(cookie), site.request(cookie), site.request(cookie)]
    for (const session of [first, second, failing]) await session.regenerateId()
    const heard = listen(t, 'rotated')

    site.store.failing.add('rotate')
    await assert.rejects(failing.commit())
    site.store.failing.clear()
    assert.deepEqual(heard, [])
    await first.commit()
    await second.commit()

    assert.deepEqual(heard, [null])
  })
})

describe('a request whose session was moved by another one', () => {
  it('a concurrent login of the same account survives [R-05]', async () => {
    const site = new Site()
    const beginning = site.request()
    await beginning.set('who', 'ada')
    const cookie = (await beginning.commit()) ?? ''
    const again = await begun(site, cookie, async (session) => {
      await session.remove('who')
      await session.set('who', 'ada')
    })
    const next = await rotate(site, cookie)
    site.store.reset()

    assert.equal(await again.commit(), null)

    assert.deepEqual(site.store.calls, ['update'])
    assert.equal(await site.request(next).get('who'), 'ada')
  })

  it('makes no further call when there was nothing to remove', async () => {
    const site = new Site()
    const cookie = await site.live()
    const login = await begun(site, cookie, async (session) => {
      await session.remove('who')
      await session.set('who', 'ada')
    })
    await rotate(site, cookie)
    site.store.reset()

    assert.equal(await login.commit(), null)

    assert.deepEqual(site.store.calls, ['update'])
  })

  it('writes nothing to the successor [R-06]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const replace = (value: number) => async (session: RequestSession) => {
      await session.remove('a')
      await session.set('a', value)
    }
    const loser = await begun(site, cookie, replace(2))
    const winner = site.request(cookie)
    await replace(3)(winner)
    await winner.regenerateId()
    const next = (await winner.commit()) ?? ''
    site.store.reset()

    await loser.commit()

    assert.deepEqual(site.store.calls, ['update', 'read', 'read'])
    assert.equal(await site.request(next).get('a'), 3)
  })

  it('removes there what it removed, all of it, and leaves the lifetime alone', async () => {
    const site = new Site()
    const beginning = site.request()
    for (const key of ['a', 'b', 'c']) await beginning.set(key, key)
    const cookie = (await beginning.commit()) ?? ''
    const loser = await begun(site, cookie, async (session) => {
      await session.remove('a')
      await session.remove('b')
      await session.set('b', 'mine')
    })
    site.clock.advance(10)
    const next = await rotate(site, cookie)
    const before = await recordOf(site, next)
    site.clock.advance(15)

    await loser.commit()

    const after = await recordOf(site, next)
    assert.deepEqual([...(after?.data ?? [])], [['c', '"c"']])
    assert.deepEqual([after?.createdAt, after?.expiresAt], [before?.createdAt, before?.expiresAt])
  })

  it('removes it even when it is rotated again in between [SESS-09]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const loser = await begun(site, cookie, (session) => session.remove('a'))
    let next = await rotate(site, cookie)
    let updates = 0
    site.store.before = async (operation) => {
      if (operation !== 'update' || ++updates !== 2) return
      next = await rotate(site, next)
    }

    await loser.commit()

    assert.equal(updates, 3)
    assert.equal(await site.request(next).has('a'), false)
  })

  it('calls nothing for a session that the other one destroyed', async () => {
    const site = new Site()
    const cookie = await site.live()
    const loser = await begun(site, cookie, (session) => session.remove('a'))
    const ender = site.request(cookie)
    await ender.destroy()
    await ender.commit()
    site.store.reset()

    assert.equal(await loser.commit(), null)

    assert.deepEqual(site.store.calls, ['update', 'read'])
  })

  for (const [seconds, isConfirmed] of [
    [29.999, true],
    [30, false],
  ] as const) {
    const outcome = isConfirmed ? 'is confirmed' : 'is not confirmed, for it may have been moved'
    it(`${seconds} s after its read, the end of an expired session ${outcome} [HOLD-50]`, async () => {
      const site = new Site()
      const cookie = await site.live()
      site.clock.advance(7199.5)
      const ender = await begun(site, cookie, (session) => session.destroy())
      site.clock.advance(seconds)

      if (isConfirmed) assert.equal(await ender.commit(), '')
      else await assert.rejects(ender.commit(), { status: 503 })
    })
  }

  it('the end of a session that has not expired, and is not found, is not confirmed [HOLD-50]', async () => {
    const site = new Site()
    const cookie = await site.live()
    site.clock.advance(7190)
    const ender = await begun(site, cookie, (session) => session.destroy())
    site.clock.advance(9.999)
    const { store } = site
    store.read = () => Promise.resolve(null)

    await assert.rejects(ender.commit(), { status: 503 })
    site.clock.advance(0.001)
    assert.equal(await ender.commit(), '')
  })
})

describe('reverted changes', () => {
  /** A request that has set something, and committed it. */
  async function committed(site: Site, cookie: string | undefined): Promise<RequestSession> {
    const session = site.request(cookie)
    await session.set('a', 2)
    await session.set('b', 2)
    await session.commit()
    site.store.reset()
    return session
  }

  it('are nothing for a request that only removed, and its rotation stays [HOLD-20]', async () => {
    const site = new Site()
    const session = site.request(await site.live())
    await session.remove('a')
    await session.regenerateId()
    const next = await session.commit()
    site.store.reset()

    assert.equal(await session.takeBack(), next)

    assert.deepEqual(site.store.calls, [])
  })

  it('are removed even when the session is rotated again in between [HOLD-20]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = await committed(site, cookie)
    let next = ''
    onceBefore(site, 'update', async () => (next = await rotate(site, cookie)))

    assert.equal(await session.takeBack(), null)

    assert.deepEqual([...((await recordOf(site, next))?.data ?? [])], [['a', '1']])
  })

  it('are nothing when another request has destroyed the session [HOLD-20]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = await committed(site, cookie)
    const ender = site.request(cookie)
    await ender.destroy()
    await ender.commit()
    site.store.reset()

    assert.equal(await session.takeBack(), null)

    assert.deepEqual(site.store.calls, ['read'])
  })

  it('are one destruction when the session was new [HOLD-20]', async () => {
    const site = new Site()
    const session = await committed(site, undefined)

    assert.equal(await session.takeBack(), null)

    assert.deepEqual(site.store.calls, ['destroy'])
  })

  it('are a session that can no longer be found: its cookie expires [HOLD-20]', async (t) => {
    const site = new Site()
    const session = await committed(site, await site.live())
    const heard = listen(t, 'store-failed')
    const { store } = site
    store.read = () => Promise.resolve(null)

    assert.equal(await session.takeBack(), '')

    assert.deepEqual(site.store.calls, ['destroy'])
    assert.match(JSON.stringify(heard), /"operation":"commit"/)
    assert.match(String((heard[0] as { cause: unknown }).cause), /took longer than the store remembers/)
  })

  for (const [failing, isFresh, change] of [
    ['update', false, ''],
    ['update and destroy', false, ''],
    ['destroy', true, null],
  ] as const) {
    const whose = isFresh ? 'a new session' : 'a session'
    it(`report each ${failing} that fails on ${whose} [HOLD-20]`, async (t) => {
      const site = new Site()
      const session = await committed(site, isFresh ? undefined : await site.live())
      const operations = failing.split(' and ') as Operation[]
      for (const operation of operations) site.store.failing.add(operation)
      const heard = listen(t, 'store-failed') as { operation: string; cause: unknown }[]

      assert.equal(await session.takeBack(), change)

      assert.deepEqual(
        heard.map(({ operation, cause }) => `${operation}: ${String(cause)}`),
        operations.map((operation) => `commit: Error: connection refused while trying to ${operation}`),
      )
    })
  }

  it('after a destroyed session the cookie expires, whatever the store does [HOLD-20]', async () => {
    const site = new Site()
    const session = site.request(await site.live())
    await session.destroy()
    await session.set('b', 2)
    await session.commit()
    site.store.failing.add('destroy')

    assert.equal(await session.takeBack(), '')
  })

  it('leave a session its lifetime and creation time [HOLD-20]', async () => {
    const site = new Site()
    const policy = new SessionPolicy()
    const began = site.clock.milliseconds()
    const cookie = await site.live()
    site.clock.advance(3600)
    const session = site.request(cookie)
    await session.set('b', 2)
    await session.regenerateId()
    session.renew()
    const next = (await session.commit()) ?? ''
    site.clock.advance(60)

    await session.takeBack()

    const record = await recordOf(site, next)
    assert.deepEqual([record?.createdAt, record?.expiresAt], [began, began + HOUR + policy.idleMilliseconds])
  })

  it('leave a renewed session no more than its absolute lifetime [HOLD-20]', async () => {
    const site = new Site()
    const policy = new SessionPolicy({ idleSeconds: 3600, absoluteSeconds: 3600 })
    const began = site.clock.milliseconds()
    const beginning = site.request(undefined, policy)
    await beginning.set('a', 1)
    const cookie = (await beginning.commit()) ?? ''
    site.clock.advance(1800)
    const session = site.request(cookie, policy)
    await session.set('b', 2)
    await session.regenerateId()
    session.renew()
    const next = (await session.commit()) ?? ''

    await session.takeBack()

    assert.equal((await recordOf(site, next))?.expiresAt, began + HOUR)
  })
})

describe('a request with an ended identifier that follows it while others rotate', () => {
  const ends: readonly [string, Operation, (session: RequestSession) => Promise<void>][] = [
    ['destroys', 'destroy', (session) => session.destroy()],
    ['removes', 'update', (session) => session.remove('a')],
  ]
  for (const [what, operation, end] of ends) {
    it(`${what} even what was rotated just before [R-05]`, async () => {
      const site = new Site()
      const old = await site.live()
      let cookie = await rotate(site, old)
      const session = await begun(site, old, end)
      onceBefore(site, operation, async () => {
        cookie = await rotate(site, cookie)
      })

      await session.commit()

      assert.equal(await site.request(cookie).has('a'), false)
    })

    it(`confirms nothing that it ${what} when it has lost the trace halfway [R-05]`, async () => {
      const site = new Site()
      const old = await site.live()
      const cookie = await rotate(site, old)
      const session = await begun(site, old, end)
      onceBefore(site, operation, async () => {
        await rotate(site, cookie)
        site.clock.advance(61)
      })

      await assert.rejects(session.commit(), { status: 503 })
    })
  }
})
