import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { SessionRecord } from '../../src/session/session-store.ts'
import { type WrittenList, WrittenRecords } from '../../src/session/written-records.ts'

function recordOf(expiresAt: number): SessionRecord {
  return { data: new Map(), ended: false, successor: null, createdAt: 0, expiresAt }
}

/** Identifiers from the oldest to the newest, and back again. */
function orders(records: WrittenRecords): string[] {
  const there: string[] = []
  let last = null
  for (let at = records.anonymous.oldest; at !== null; at = at.newer) {
    there.push(at.id)
    last = at
  }
  const back: string[] = []
  for (let at = last; at !== null; at = at.older) back.push(at.id)
  return [there.join(''), back.join('')]
}

function written(ids: string): WrittenRecords {
  const records = new WrittenRecords()
  for (const id of ids) records.write(id, recordOf(1))
  return records
}

describe('WrittenRecords', () => {
  it('is empty at first', () => {
    const records = new WrittenRecords()

    assert.deepEqual([records.size, records.anonymous.oldest, records.get('a')], [0, null, undefined])
  })

  for (const [ids, order] of [
    ['a', 'a'],
    ['abc', 'abc'],
    ['aaa', 'a'],
    ['aba', 'ba'],
    ['abcb', 'acb'],
    ['abcc', 'abc'],
    ['abcabc', 'abc'],
    ['abccba', 'cba'],
  ] as const) {
    it(`keeps the order of writing ${ids}`, () => {
      const records = written(ids)

      assert.deepEqual(orders(records), [order, [...order].toReversed().join('')])
      assert.equal(records.size, order.length)
    })
  }

  it('returns what was written last', () => {
    const records = written('ab')
    const record = recordOf(2)

    records.write('a', record)

    assert.equal(records.get('a'), record)
    assert.notEqual(records.get('b'), record)
  })

  it('keeps those with an identity apart, and moves those that sign in or out', () => {
    const records = written('abcd')
    const orderOf = ({ oldest, size }: WrittenList): string => {
      let order = ''
      for (let at = oldest; at !== null; at = at.newer) order += at.id
      return `${order} ${size}`
    }
    const identified = { ...recordOf(1), data: new Map([['_auth', '"ada"']]) }

    records.write('b', identified)
    records.write('d', identified)
    assert.deepEqual([records.anonymous, records.signedIn].map(orderOf), ['ac 2', 'bd 2'])
    records.write('b', recordOf(1))

    assert.deepEqual([records.anonymous, records.signedIn].map(orderOf), ['acb 3', 'd 1'])
    assert.equal(records.size, 4)
  })

  for (const [gone, order] of [
    ['a', 'bcd'],
    ['b', 'acd'],
    ['d', 'abc'],
    ['ad', 'bc'],
    ['bc', 'ad'],
    ['abcd', ''],
    ['dcba', ''],
  ] as const) {
    it(`closes the gap that ${gone} leaves, and accepts more`, () => {
      const records = written('abcd')

      for (const id of gone) {
        let at = records.anonymous.oldest
        while (at !== null && at.id !== id) at = at.newer
        assert.ok(at !== null)
        records.delete(at)
        assert.deepEqual([at.older, at.newer, records.get(id)], [null, null, undefined])
      }
      assert.deepEqual(orders(records), [order, [...order].toReversed().join('')])
      records.write('e', recordOf(1))

      assert.deepEqual(orders(records), [`${order}e`, `e${[...order].toReversed().join('')}`])
      assert.equal(records.size, order.length + 1)
    })
  }
})
