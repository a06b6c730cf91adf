import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { storedEntries } from '../../src/session/stored-entries.ts'

describe('storedEntries()', () => {
  it('returns keys and values, also for keys of object members', () => {
    const stored: unknown = JSON.parse('{"a":"1","__proto__":"2","constructor":"3"}')

    assert.deepEqual(storedEntries(stored), [
      ['a', '1'],
      ['__proto__', '2'],
      ['constructor', '3'],
    ])
    assert.deepEqual(storedEntries({}), [])
  })

  for (const stored of [undefined, null, 5, 'a', true, [], ['1'], { a: 1 }, { a: '1', b: null }, { a: {} }]) {
    it(`refuses ${JSON.stringify(stored)}`, () => {
      assert.throws(() => storedEntries(stored), SyntaxError)
    })
  }
})
