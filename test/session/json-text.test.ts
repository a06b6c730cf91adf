import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { textOf, valueOf } from '../../src/session/json-text.ts'

describe('the text of an entry', () => {
  for (const value of [
    '',
    'a',
    '"',
    '"a"',
    'a"b',
    '\\',
    '\\"',
    'a\\',
    '\n\u0000\u2028',
    'é€\u{1f600}',
    '\ud800',
    '[1]',
    'null',
    5,
    -0.5,
    true,
    null,
    [],
    ['a', 'b'],
    { a: 'b', c: [null] },
  ]) {
    it(`gives ${JSON.stringify(value)} back`, () => {
      assert.deepEqual(valueOf(textOf('key', value)), value)
    })
  }

  it('gives a copy', () => {
    const value = { a: [1] }

    assert.notEqual(valueOf(textOf('key', value)), value)
  })

  for (const text of ['', '"', '"a', 'a"', "'a'", '"\\"', '{']) {
    it(`is not ${text || 'nothing'}`, () => {
      assert.throws(() => valueOf(text), SyntaxError)
    })
  }

  it('is none of what JSON cannot hold', () => {
    // What a program without types may give.
    const odd = (() => undefined) as unknown as string

    assert.throws(
      () => textOf('key', odd),
      new TypeError('Cannot keep "key" in the session: JSON cannot hold its value'),
    )
  })
})
