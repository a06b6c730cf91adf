import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parsePendingLogin } from '../../../core/challenges/pending-login.ts'

const NOW = 1_767_225_600
const LIVE = { identifier: 'u1', expires_at: NOW + 300 }

describe('parsePendingLogin()', () => {
  it('returns the two members of a live challenge [SESS-19 SESS-20]', () => {
    assert.deepEqual(parsePendingLogin(LIVE, NOW), { identifier: 'u1', expiresAt: NOW + 300 })
  })

  const malformed: Readonly<Record<string, readonly unknown[]>> = {
    'nothing [FLOW-16]': [undefined],
    'no map [FLOW-17]': [null, 'u1', NOW, true, ['u1', NOW + 300], Object.assign([], LIVE), () => LIVE],
    'no identifier [FLOW-18]': [{}, { expires_at: NOW + 300 }],
    'an identifier that is no string [FLOW-18]': [1, null, ['u1'], new String('u1')].map((identifier) => ({
      ...LIVE,
      identifier,
    })),
    'an empty identifier [FLOW-19]': [{ ...LIVE, identifier: '' }],
    'no expires_at [FLOW-20]': [{ identifier: 'u1' }],
    'an expires_at that is no integer [FLOW-20]': [
      String(NOW + 300),
      NOW + 1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      2 ** 60,
      null,
      BigInt(NOW + 300),
    ].map((expires_at) => ({ ...LIVE, expires_at })),
    'a third member [SESS-22]': [{ ...LIVE, attempts: 1 }],
  }
  for (const [title, values] of Object.entries(malformed))
    it(`RA-2701, ${title} is not a challenge`, () => {
      for (const value of values) assert.equal(parsePendingLogin(value, NOW), undefined)
    })

  it('the challenge is expired at the second it names, and not before [RA-2701 FLOW-21 FLOW-22 FLOW-23]', () => {
    const at = (now: number): boolean => parsePendingLogin(LIVE, now) !== undefined

    assert.deepEqual([NOW + 299, NOW + 300, NOW + 301].map(at), [true, false, false])
  })

  it('a challenge that would live too long is expired: the clock was set back [RA-2708 HOLD-50]', () => {
    const at = (now: number): boolean => parsePendingLogin(LIVE, now) !== undefined

    assert.deepEqual([NOW, NOW - 1, NOW - 60, NOW - 31_536_000].map(at), [true, false, false, false])
  })
})
