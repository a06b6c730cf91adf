import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { liveText, parseRecord, tombstoneHead } from '../../src/session/redis-record.ts'

const lifetime = { createdAt: 1, expiresAt: 2 }

describe('the string of a session in Redis', () => {
  it('is a head, then keys and values behind separators', () => {
    const entries = new Map([
      ['a', '1'],
      ['é"', '"x"'],
    ])

    assert.equal(liveText(lifetime, entries), 'L1 2\u001e"a"\u001f1\u001e"é\\""\u001f"x"\u001e')
    assert.equal(liveText(lifetime, new Map(), ' owner 3'), 'L1 2 owner 3\u001e')
    assert.equal(tombstoneHead(lifetime), 'E1 2\u001e')
  })

  it('restores every key and every JSON value', () => {
    const keys = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('__proto__', '\ud800', '\u001e', '\u001f"'),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, fc.jsonValue())), (pairs) => {
        const data = new Map(pairs.map(([key, value]) => [key, JSON.stringify(value)]))

        assert.deepEqual(parseRecord(liveText(lifetime, data)), {
          ...lifetime,
          ended: false,
          successor: null,
          owner: null,
          data,
        })
      }),
    )
  })

  it('has a successor and no entries when it is a tombstone of a rotation', () => {
    const tombstone = { ...lifetime, ended: true, owner: null, data: new Map() }

    assert.deepEqual(parseRecord(`${tombstoneHead(lifetime)}to`), { ...tombstone, successor: 'to' })
    assert.deepEqual(parseRecord(tombstoneHead(lifetime)), { ...tombstone, successor: null })
  })

  it('has an owner when somebody is signed in [ACCT-05]', () => {
    assert.equal(parseRecord('L1 2 owner 3\u001e').owner, 'owner')
  })

  for (const text of [
    '',
    'L',
    'L1',
    'L1 2',
    'Lx 2\u001e',
    'L1 x\u001e',
    'L1 2\u001e"a"',
    'L1 2\u001e"a"\u001f1',
    'L1 2\u001e"a"1',
    'X1 2\u001e',
    '"1 2\u001e',
    'L1 2\u001ea\u001f1\u001e',
    'L1 2\u001ea"\u001f1\u001e',
    'L1 2\u001e"\u001f1\u001e',
    'L1 2\u001e"a\u001f1\u001e',
    'L1 2\u001e"\\"\u001f1\u001e',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseRecord(text), SyntaxError)
    })
  }
})
