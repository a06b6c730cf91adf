import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { decamelize, toAsciiLowerCase } from '../../src/core/internal.ts'

describe('decamelize()', () => {
  for (const [name, kebab] of [
    ['Shop', 'shop'],
    ['RoutableModule', 'routable-module'],
    ['typedInt', 'typed-int'],
    ['HTMLPage', 'html-page'],
    ['page2', 'page2'],
    ['Page2Top', 'page2-top'],
    ['', ''],
  ] as const) {
    it(`converts ${JSON.stringify(name)} to ${JSON.stringify(kebab)}`, () => {
      assert.equal(decamelize(name), kebab)
    })
  }
})

describe('toAsciiLowerCase()', () => {
  it('lower-cases A to Z and no other character of Unicode [HOLD-37]', () => {
    for (let code = 0; code < 0x11_0000; code++) {
      const character = String.fromCodePoint(code)
      const expected = code >= 65 && code <= 90 ? String.fromCodePoint(code + 32) : character
      if (toAsciiLowerCase(character) !== expected) assert.fail(`U+${code.toString(16)}`)
    }
    assert.equal(toAsciiLowerCase('K\u212aS\u017fI\u0130\u00c9'), 'k\u212as\u017fi\u0130\u00c9')
  })
})
