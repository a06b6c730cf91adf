import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { SessionPolicy } from '../../src/session/index.ts'

describe('SessionPolicy', () => {
  it('is two hours idle, twelve in all, cookie sid, __Host-sid over HTTPS', () => {
    const policy = new SessionPolicy()

    assert.equal(policy.idleMilliseconds, 7_200_000)
    assert.equal(policy.absoluteMilliseconds, 43_200_000)
    assert.equal(policy.cookieNameAt('http://app.test'), 'sid')
    assert.equal(policy.cookieNameAt('https://app.test'), '__Host-sid')
    assert.equal(policy.cookieNameAt('http://[::1]'), 'sid')
    assert.equal(policy.cookieNameAt('http://[::1]:3000'), 'sid-3000')
    assert.equal(policy.sameSite, 'lax')
    assert.equal(policy.maxBytes, 65_536)
    assert.equal(policy.storeTimeoutMilliseconds, 5000)
  })

  it('accepts its options', () => {
    const policy = new SessionPolicy({
      idleSeconds: 1,
      absoluteSeconds: 2,
      cookieName: 'Admin_9-',
      sameSite: 'strict',
      maxBytes: 3,
      storeTimeoutMilliseconds: 4,
    })

    assert.deepEqual(
      { ...policy },
      {
        idleMilliseconds: 1000,
        absoluteMilliseconds: 2000,
        precisionMilliseconds: 100,
        sameSite: 'strict',
        maxBytes: 3,
        storeTimeoutMilliseconds: 4,
      },
    )
  })

  it('ends a session at the earlier of both lifetimes', () => {
    const policy = new SessionPolicy({ idleSeconds: 10, absoluteSeconds: 25 })

    assert.equal(policy.expiryAt(0, 0), 10_000)
    assert.equal(policy.expiryAt(0, 14_000), 24_000)
    assert.equal(policy.expiryAt(0, 20_000), 25_000)
  })

  it('may have one lifetime for both', () => {
    assert.equal(new SessionPolicy({ idleSeconds: 9, absoluteSeconds: 9 }).expiryAt(0, 1), 9000)
  })

  it('extends an expiry at most once a minute, and more often for short lifetimes', () => {
    const long = new SessionPolicy()
    const short = new SessionPolicy({ idleSeconds: 10 })

    assert.equal(long.isWorthRolling(0, 59_999), false)
    assert.equal(long.isWorthRolling(0, 60_000), true)
    assert.equal(short.isWorthRolling(0, 999), false)
    assert.equal(short.isWorthRolling(0, 1000), true)
  })

  it('moves back an expiry that is too late because the clock was set back [HOLD-50]', () => {
    const policy = new SessionPolicy()

    assert.equal(policy.isWorthRolling(0, -59_999), false)
    assert.equal(policy.isWorthRolling(0, -60_000), true)
    assert.equal(policy.expiryAt(1e12, 0), 7_200_000)
  })

  it('is precise to a minute, or a tenth of a shorter idle time', () => {
    assert.equal(new SessionPolicy().precisionMilliseconds, 60_000)
    assert.equal(new SessionPolicy({ idleSeconds: 300 }).precisionMilliseconds, 30_000)
  })

  for (const options of [
    { idleSeconds: 0 },
    { idleSeconds: -1 },
    { idleSeconds: Number.NaN },
    { idleSeconds: Number.POSITIVE_INFINITY },
    { absoluteSeconds: 0 },
    { absoluteSeconds: -1 },
    { maxBytes: 0 },
    { maxBytes: Number.NaN },
    { storeTimeoutMilliseconds: 0 },
    { storeTimeoutMilliseconds: '5' as unknown as number },
    { idleSeconds: 100, absoluteSeconds: 99 },
  ]) {
    it(`refuses ${JSON.stringify(options)}`, () => {
      assert.throws(() => new SessionPolicy(options), RangeError)
    })
  }

  for (const cookieName of ['', 'a b', 'a=b', 'a;b', 'é', 'a\r\n']) {
    it(`refuses the cookie name ${JSON.stringify(cookieName)}`, () => {
      assert.throws(() => new SessionPolicy({ cookieName }), TypeError)
      assert.throws(() => new SessionPolicy({ area: cookieName }), TypeError)
    })
  }

  for (const options of [
    { cookieName: 5 },
    { cookieName: ['sid'] },
    { sameSite: 'none' },
    { sameSite: null },
    { idleSecond: 5 },
  ]) {
    it(`refuses ${JSON.stringify(options)}, which has the wrong type`, () => {
      assert.throws(() => new SessionPolicy(options as never), TypeError)
    })
  }

  it('names what it refuses', () => {
    for (const [options, message] of [
      [{ maxBytes: 0 }, /^Cannot use 0 as maxBytes: /],
      [{ idleSeconds: 100, absoluteSeconds: 99 }, /idleSeconds 100.*absoluteSeconds 99/],
      [{ cookieName: 'a b' }, /"a b"/],
      [{ sameSite: 'none' as never }, /"none" as sameSite/],
    ] as const)
      assert.throws(() => new SessionPolicy(options), { message })
  })
})
