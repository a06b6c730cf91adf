import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Authentication, SessionAuthentication } from '../../src/auth/index.ts'
import { Flash } from '../../src/context/flash.ts'
import { Csrf } from '../../src/csrf/index.ts'
import type { RequestSession } from '../../src/session/internal.ts'
import { SessionPolicy } from '../../src/session/index.ts'
import { fittingChanges } from '../../src/session/session-size.ts'
import { Site } from './site.ts'

type Entries = Readonly<Record<string, string>>

const mapOf = (entries: Entries): Map<string, string> => new Map(Object.entries(entries))

/** What is set and removed of a session so that it fits, by names. */
function fitted(
  before: Entries,
  set: Entries,
  { removed = [] as readonly string[], maxBytes = 10 } = {},
): unknown {
  const changes = fittingChanges(mapOf(before), { set: mapOf(set), removed: new Set(removed) }, maxBytes)
  return [Object.fromEntries(changes.set), [...changes.removed]]
}

describe('fittingChanges()', () => {
  it('counts keys and values in bytes, up to the limit and no further', () => {
    assert.deepEqual(fitted({ a: '1234' }, { b: '1234' }), [{ b: '1234' }, []])
    assert.throws(() => fitted({ a: '1234' }, { b: '12345' }), RangeError)
    assert.throws(() => fitted({ ab: '1234' }, { b: '1234' }), RangeError)
    assert.deepEqual(fitted({}, { é: '€€é' }), [{ é: '€€é' }, []])
    assert.throws(() => fitted({}, { é: '€€€' }), RangeError)
  })

  it('subtracts what is removed and what is replaced', () => {
    assert.deepEqual(fitted({ a: '123456789' }, { b: '1' }, { removed: ['a'] }), [{ b: '1' }, ['a']])
    assert.deepEqual(fitted({ a: '123456789' }, { a: '1', b: '1' }), [{ a: '1', b: '1' }, []])
    // Removed first and set afterwards: it is set.
    assert.throws(() => fitted({ a: '1' }, { a: '1234567890' }, { removed: ['a'] }), RangeError)
  })

  it('drops flash messages, the oldest first, and only as many as necessary [HOLD-28]', () => {
    const before = { '_flash.1': 'x', '_flash.2': 'x', a: '1' }

    // Each message has 9 bytes.
    assert.deepEqual(fitted(before, { b: '1' }, { maxBytes: 22 }), [{ b: '1' }, []])
    assert.deepEqual(fitted(before, { b: '1' }, { maxBytes: 21 }), [{ b: '1' }, ['_flash.1']])
    assert.deepEqual(fitted(before, { b: '1' }, { maxBytes: 13 }), [{ b: '1' }, ['_flash.1']])
    assert.deepEqual(fitted(before, { b: '1' }, { maxBytes: 12 }), [{ b: '1' }, ['_flash.1', '_flash.2']])
    assert.throws(() => fitted(before, { b: '1' }, { maxBytes: 3 }), RangeError)
  })

  it('drops a new message that does not fit, without removing what was never kept [HOLD-28]', () => {
    assert.deepEqual(fitted({ a: '1' }, { '_flash.9': 'x'.repeat(50), b: '1' }), [{ b: '1' }, []])
    assert.deepEqual(fitted({ '_flash.9': 'x' }, { '_flash.9': 'x'.repeat(50) }), [{}, ['_flash.9']])
  })

  it('goes by the order of the keys, whichever was set first [HOLD-28]', () => {
    const before = { '_flash.3': 'x', '_flash.1': 'x' }

    assert.deepEqual(fitted(before, { '_flash.2': 'x' }, { maxBytes: 18 }), [
      { '_flash.2': 'x' },
      ['_flash.1'],
    ])
    assert.deepEqual(fitted(before, { '_flash.2': 'x' }, { maxBytes: 9 }), [{}, ['_flash.1']])
  })

  it('drops nothing else [HOLD-28]', () => {
    for (const key of ['_flash', 'flash.1', 'a_flash.1'])
      assert.throws(() => fitted({ [key]: 'x'.repeat(9) }, { b: '1' }), RangeError)
  })

  it('lets a session that is over the limit shrink, and keep its size [HOLD-28]', () => {
    const before = { a: 'x'.repeat(20), b: '1' }

    assert.deepEqual(fitted(before, { a: 'x'.repeat(15) }), [{ a: 'x'.repeat(15) }, []])
    assert.deepEqual(fitted(before, { a: 'y'.repeat(20) }), [{ a: 'y'.repeat(20) }, []])
    assert.deepEqual(fitted(before, { c: '1' }, { removed: ['b'] }), [{ c: '1' }, ['b']])
    assert.throws(() => fitted(before, { c: '1' }), RangeError)
    assert.throws(() => fitted(before, { a: 'x'.repeat(21) }), RangeError)
    // Flash messages are no room that other entries may fill.
    assert.throws(() => fitted({ ...before, '_flash.1': 'x'.repeat(50) }, { c: '1' }), RangeError)
  })

  it('accepts an identity and a CSRF secret in a session that is full, unless they are large [HOLD-28]', () => {
    const before = { a: 'x'.repeat(9), '_flash.1': 'x' }

    assert.deepEqual(fitted(before, { _auth: '"ada"' }), [{ _auth: '"ada"' }, ['_flash.1']])
    assert.deepEqual(fitted(before, { _csrf: '"s"' }), [{ _csrf: '"s"' }, ['_flash.1']])
    assert.deepEqual(fitted({}, { _auth: 'x'.repeat(1019) }), [{ _auth: 'x'.repeat(1019) }, []])
    assert.throws(() => fitted({}, { _auth: 'x'.repeat(1020) }), RangeError)
    // They are counted: there is no room for anything beside them.
    assert.throws(() => fitted({ _auth: '"adalove"' }, { b: '1' }), RangeError)
  })

  it('names the largest new entry, and the resulting size', () => {
    const refusal = (before: Entries, set: Entries): string => {
      try {
        fitted(before, set)
      } catch (error) {
        return (error as Error).message
      }
      return 'nothing'
    }

    assert.match(
      refusal({ a: '12345678901234567890' }, { b: '1', largest: '12', c: '123' }),
      /^Cannot keep "largest" of 9 bytes in the session: it would hold 36 bytes, and maxBytes of its policy allows 10$/,
    )
    // Messages that gave way are not in it.
    assert.match(
      refusal({}, { '_flash.1': 'x'.repeat(50), b: '1234567890' }),
      /^Cannot keep "b" of 11 bytes in the session: it would hold 11 bytes/,
    )
  })

  it('leaves its arguments unchanged', () => {
    const before = mapOf({ '_flash.1': 'x' })
    const changes = { set: mapOf({ '_flash.2': 'x' }), removed: new Set(['z']) }

    fittingChanges(before, changes, 5)

    assert.deepEqual(
      [[...before.keys()], [...changes.set.keys()], [...changes.removed]],
      [['_flash.1'], ['_flash.2'], ['z']],
    )
  })
})

describe('a session that is larger than a lowered maxBytes', () => {
  const signIn = async (session: RequestSession): Promise<void> =>
    new SessionAuthentication().login(session, new Authentication(), 'u'.repeat(40), {})
  const changes: Readonly<Record<string, (session: RequestSession) => Promise<unknown>>> = {
    'flash().add()': (session) => new Flash(session).add('notice', 'Saved'),
    'csrf().token()': (session) => new Csrf(session).token(),
    'login()': signIn,
    'logout()': (session) => new SessionAuthentication().logout(session, new Authentication()),
    'a smaller value': (session) => session.set('cart', 'x'.repeat(90)),
    'remove()': (session) => session.remove('cart'),
  }

  for (const [what, change] of Object.entries(changes)) {
    it(`accepts ${what} [HOLD-28]`, async () => {
      const site = new Site()
      const before = site.request()
      await before.set('cart', 'x'.repeat(100))
      const cookie = (await before.commit()) ?? ''
      const session = site.request(cookie, new SessionPolicy({ maxBytes: 50 }))

      await change(session)
      const next = (await session.commit()) ?? cookie

      const after = site.request(next)
      assert.deepEqual(await after.keysFrom('_flash.'), [])
      assert.equal(await after.get('_auth'), what === 'login()' ? 'u'.repeat(40) : undefined)
      assert.equal((await after.get('_csrf')) !== undefined, what === 'csrf().token()')
    })
  }
})
