import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FrozenClock } from 'sallyport/testing'
import type { Session } from 'sallyport/session'
import {
  beginPendingLogin,
  parsePendingLogin,
  readPendingLogin,
} from '../../../core/challenges/pending-login.ts'

const NOW = 1_767_225_600
const LIVE = { identifier: 'u1', expires_at: NOW + 300 }

// A session is not needed to see what is written and read.
class Entries implements Session {
  readonly entries = new Map<string, unknown>()

  async get<T = unknown>(key: string): Promise<T | undefined> {
    return this.entries.get(key) as T | undefined
  }
  async has(key: string): Promise<boolean> {
    return this.entries.has(key)
  }
  async set(key: string, value: unknown): Promise<void> {
    this.entries.set(key, value)
  }
  async remove(key: string): Promise<void> {
    this.entries.delete(key)
  }
  async regenerateId(): Promise<void> {}
  async destroy(): Promise<void> {
    this.entries.clear()
  }
}

describe('parsePendingLogin()', () => {
  it('returns the two members of a live challenge [SESS-19 SESS-20]', () => {
    const pending = parsePendingLogin(LIVE, NOW)

    assert.deepEqual(pending, { identifier: 'u1', expiresAt: NOW + 300 })
  })

  const malformed: Readonly<Record<string, unknown>> = {
    'nothing [FLOW-16]': undefined,
    'null [FLOW-17]': null,
    'a string [FLOW-17]': 'u1',
    'a number [FLOW-17]': NOW,
    'true [FLOW-17]': true,
    'a list [FLOW-17]': ['u1', NOW + 300],
    'a list with the members [FLOW-17]': Object.assign([], LIVE),
    'a function [FLOW-17]': () => LIVE,
    'an empty map [FLOW-18]': {},
    'no identifier [FLOW-18]': { expires_at: NOW + 300 },
    'a number as identifier [FLOW-18]': { ...LIVE, identifier: 1 },
    'null as identifier [FLOW-18]': { ...LIVE, identifier: null },
    'a list as identifier [FLOW-18]': { ...LIVE, identifier: ['u1'] },
    'a String object as identifier [FLOW-18]': { ...LIVE, identifier: new String('u1') },
    'an empty identifier [FLOW-19]': { ...LIVE, identifier: '' },
    'no expires_at [FLOW-20]': { identifier: 'u1' },
    'digits as expires_at [FLOW-20]': { ...LIVE, expires_at: String(NOW + 300) },
    'a fraction as expires_at [FLOW-20]': { ...LIVE, expires_at: NOW + 1.5 },
    'NaN as expires_at [FLOW-20]': { ...LIVE, expires_at: Number.NaN },
    'Infinity as expires_at [FLOW-20]': { ...LIVE, expires_at: Number.POSITIVE_INFINITY },
    'an integer that JSON cannot hold as expires_at [FLOW-20]': { ...LIVE, expires_at: 2 ** 60 },
    'null as expires_at [FLOW-20]': { ...LIVE, expires_at: null },
    'a bigint as expires_at [FLOW-20]': { ...LIVE, expires_at: BigInt(NOW + 300) },
    'a third member [SESS-22]': { ...LIVE, attempts: 1 },
  }
  for (const [title, value] of Object.entries(malformed)) {
    it(`RA-2701, ${title} is not a challenge`, () => {
      const pending = parsePendingLogin(value, NOW)

      assert.equal(pending, undefined)
    })
  }

  it('the challenge is expired at the second it names, and not before [RA-2701 FLOW-21 FLOW-22 FLOW-23]', () => {
    const at = (now: number): boolean => parsePendingLogin(LIVE, now) !== undefined

    assert.deepEqual([NOW + 299, NOW + 300, NOW + 301].map(at), [true, false, false])
  })

  it('a challenge that would live too long is expired: the clock was set back [RA-2708 HOLD-50]', () => {
    const at = (now: number): boolean => parsePendingLogin(LIVE, now) !== undefined

    assert.deepEqual([NOW, NOW - 1, NOW - 60, NOW - 31_536_000].map(at), [true, false, false, false])
  })
})

describe('beginPendingLogin()', () => {
  it('writes exactly identifier and expires_at, 300 seconds by the clock [SESS-18 SESS-21 SESS-22 LIMIT-01]', async () => {
    const session = new Entries()

    await beginPendingLogin(session, { identifier: 'u1' }, new FrozenClock(NOW))

    assert.deepEqual(session.entries.get('_2fa'), { identifier: 'u1', expires_at: NOW + 300 })
  })

  it('refuses an empty identifier and writes nothing [SESS-19]', async () => {
    const session = new Entries()

    await assert.rejects(beginPendingLogin(session, { identifier: '' }, new FrozenClock(NOW)), TypeError)

    assert.equal(session.entries.size, 0)
  })

  it('is read back until the clock reaches its end', async () => {
    const session = new Entries()
    const clock = new FrozenClock(NOW)
    await beginPendingLogin(session, { identifier: 'u1' }, clock)

    clock.advance(299)
    const before = await readPendingLogin(session, clock)
    clock.advance(1)
    const after = await readPendingLogin(session, clock)

    assert.equal(before?.identifier, 'u1')
    assert.equal(after, undefined)
  })
})
