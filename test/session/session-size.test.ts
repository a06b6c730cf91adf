import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { fittingChanges } from '../../src/session/session-size.ts'

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
  it('counts keys and texts in bytes, up to the limit and no further', () => {
    assert.deepEqual(fitted({ a: '1234' }, { b: '1234' }), [{ b: '1234' }, []])
    assert.throws(() => fitted({ a: '1234' }, { b: '12345' }), RangeError)
    assert.throws(() => fitted({ ab: '1234' }, { b: '1234' }), RangeError)
    assert.deepEqual(fitted({}, { é: '€€é' }), [{ é: '€€é' }, []])
    assert.throws(() => fitted({}, { é: '€€€' }), RangeError)
  })

  it('counts out what is removed and what is replaced', () => {
    assert.deepEqual(fitted({ a: '123456789' }, { b: '1' }, { removed: ['a'] }), [{ b: '1' }, ['a']])
    assert.deepEqual(fitted({ a: '123456789' }, { a: '1', b: '1' }), [{ a: '1', b: '1' }, []])
    // Removed first and set afterwards: it is set.
    assert.throws(() => fitted({ a: '1' }, { a: '1234567890' }, { removed: ['a'] }), RangeError)
  })

  it('HOLD-28: lets flash messages give way, the oldest first, and only as many as have to', () => {
    const before = { '_flash.1': 'x', '_flash.2': 'x', a: '1' }

    // Each message has 9 bytes.
    assert.deepEqual(fitted(before, { b: '1' }, { maxBytes: 22 }), [{ b: '1' }, []])
    assert.deepEqual(fitted(before, { b: '1' }, { maxBytes: 21 }), [{ b: '1' }, ['_flash.1']])
    assert.deepEqual(fitted(before, { b: '1' }, { maxBytes: 13 }), [{ b: '1' }, ['_flash.1']])
    assert.deepEqual(fitted(before, { b: '1' }, { maxBytes: 12 }), [{ b: '1' }, ['_flash.1', '_flash.2']])
    assert.throws(() => fitted(before, { b: '1' }, { maxBytes: 3 }), RangeError)
  })

  it('HOLD-28: drops a new message that does not fit, without removing what was never kept', () => {
    assert.deepEqual(fitted({ a: '1' }, { '_flash.9': 'x'.repeat(50), b: '1' }), [{ b: '1' }, []])
    assert.deepEqual(fitted({ '_flash.9': 'x' }, { '_flash.9': 'x'.repeat(50) }), [{}, ['_flash.9']])
  })

  it('HOLD-28: goes by the order of the keys, whichever was set first', () => {
    const before = { '_flash.3': 'x', '_flash.1': 'x' }

    assert.deepEqual(fitted(before, { '_flash.2': 'x' }, { maxBytes: 18 }), [
      { '_flash.2': 'x' },
      ['_flash.1'],
    ])
    assert.deepEqual(fitted(before, { '_flash.2': 'x' }, { maxBytes: 9 }), [{}, ['_flash.1']])
  })

  it('HOLD-28: lets nothing else give way', () => {
    for (const key of ['_flash', 'flash.1', 'a_flash.1'])
      assert.throws(() => fitted({ [key]: 'x'.repeat(9) }, { b: '1' }), RangeError)
  })

  it('leaves what it was given as it is', () => {
    const before = mapOf({ '_flash.1': 'x' })
    const changes = { set: mapOf({ '_flash.2': 'x' }), removed: new Set(['z']) }

    fittingChanges(before, changes, 5)

    assert.deepEqual(
      [[...before.keys()], [...changes.set.keys()], [...changes.removed]],
      [['_flash.1'], ['_flash.2'], ['z']],
    )
  })
})
