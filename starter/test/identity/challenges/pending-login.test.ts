import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FrozenClock } from 'sallyport/testing'
import type { Session } from 'sallyport/session'
import {
  beginPendingLogin,
  parsePendingLogin,
  readPendingLogin,
} from '../../../identity/challenges/pending-login.ts'

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
  it('SESS-19, SESS-20: returns the two members of a live challenge', () => {
    const pending = parsePendingLogin(LIVE, NOW)

    assert.deepEqual(pending, { identifier: 'u1', expiresAt: NOW + 300 })
  })

  const malformed: Readonly<Record<string, unknown>> = {
    'FLOW-16: nothing': undefined,
    'FLOW-17: null': null,
    'FLOW-17: a string': 'u1',
    'FLOW-17: a number': NOW,
    'FLOW-17: true': true,
    'FLOW-17: a list': ['u1', NOW + 300],
    'FLOW-17: a list with the members': Object.assign([], LIVE),
    'FLOW-17: a function': () => LIVE,
    'FLOW-18: an empty map': {},
    'FLOW-18: no identifier': { expires_at: NOW + 300 },
    'FLOW-18: a number as identifier': { ...LIVE, identifier: 1 },
    'FLOW-18: null as identifier': { ...LIVE, identifier: null },
    'FLOW-18: a list as identifier': { ...LIVE, identifier: ['u1'] },
    'FLOW-18: a String object as identifier': { ...LIVE, identifier: new String('u1') },
    'FLOW-19: an empty identifier': { ...LIVE, identifier: '' },
    'FLOW-20: no expires_at': { identifier: 'u1' },
    'FLOW-20: digits as expires_at': { ...LIVE, expires_at: String(NOW + 300) },
    'FLOW-20: a fraction as expires_at': { ...LIVE, expires_at: NOW + 1.5 },
    'FLOW-20: NaN as expires_at': { ...LIVE, expires_at: Number.NaN },
    'FLOW-20: Infinity as expires_at': { ...LIVE, expires_at: Number.POSITIVE_INFINITY },
    'FLOW-20: an integer that JSON cannot hold as expires_at': { ...LIVE, expires_at: 2 ** 60 },
    'FLOW-20: null as expires_at': { ...LIVE, expires_at: null },
    'FLOW-20: a bigint as expires_at': { ...LIVE, expires_at: BigInt(NOW + 300) },
    'SESS-22: a third member': { ...LIVE, attempts: 1 },
  }
  for (const [title, value] of Object.entries(malformed)) {
    it(`RA-2701, ${title} is not a challenge`, () => {
      const pending = parsePendingLogin(value, NOW)

      assert.equal(pending, undefined)
    })
  }

  it('RA-2701, FLOW-21, FLOW-22, FLOW-23: the challenge is expired at the second it names, and not before', () => {
    const at = (now: number): boolean => parsePendingLogin(LIVE, now) !== undefined

    assert.deepEqual([NOW + 299, NOW + 300, NOW + 301].map(at), [true, false, false])
  })

  it('RA-2708, HOLD-50: a challenge that would live too long is expired: the clock was set back', () => {
    const at = (now: number): boolean => parsePendingLogin(LIVE, now) !== undefined

    assert.deepEqual([NOW, NOW - 1, NOW - 60, NOW - 31_536_000].map(at), [true, false, false, false])
  })
})

describe('beginPendingLogin()', () => {
  it('SESS-18, SESS-21, SESS-22, LIMIT-01: writes exactly identifier and expires_at, 300 seconds by the clock', async () => {
    const session = new Entries()

    await beginPendingLogin(session, { identifier: 'u1' }, new FrozenClock(NOW))

    assert.deepEqual(session.entries.get('_2fa'), { identifier: 'u1', expires_at: NOW + 300 })
  })

  it('SESS-19: refuses an empty identifier and writes nothing', async () => {
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
