import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runInNewContext } from 'node:vm'

import { jsonText } from '../../src/http/json-text.ts'

describe('jsonText()', () => {
  it('names the kind, the key and what to do', () => {
    assert.throws(() => jsonText(new Set()), {
      name: 'TypeError',
      message:
        'Cannot write a value of type Set as JSON, which would lose what it holds: make an object, an array or a string of it',
    })
    assert.throws(() => jsonText({ a: [{ user: Promise.resolve() }] }), {
      message: 'Cannot write "user", of type Promise, as JSON, which would lose what it holds: await it',
    })
  })

  it('knows the kinds of other realms, and their plain objects', () => {
    assert.throws(() => jsonText({ a: runInNewContext('new Map()') as unknown }), /"a", of type Map/)
    assert.throws(() => jsonText(runInNewContext('new RangeError("x")')), /of type Error/)
    assert.equal(jsonText({ a: runInNewContext('({})') as unknown }), '{"a":{}}')
  })

  it('writes what JSON.stringify does', () => {
    for (const value of [null, 5, NaN, 'a{}', true, [], [undefined], { a: undefined }, [[{}]], new Date(0)])
      assert.equal(jsonText(value), JSON.stringify(value))
  })

  it('refuses what gives no text', () => {
    for (const value of [undefined, () => 1, Symbol('x'), { toJSON: () => undefined }])
      assert.throws(() => jsonText(value), TypeError)
  })
})
