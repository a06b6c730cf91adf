import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { isEqualConstantTime } from '../../src/core/internal.ts'

describe('isEqualConstantTime()', () => {
  for (const [given, expected, equal] of [
    ['secret', 'secret', true],
    ['', '', true],
    ['secret', 'secreT', false],
    ['secret', 'secrets', false],
    ['', 'secret', false],
    ['\u00e9', 'e\u0301', false],
  ] as const) {
    it(`returns ${String(equal)} for ${JSON.stringify(given)} and ${JSON.stringify(expected)}, of any length`, () => {
      assert.equal(isEqualConstantTime(given, expected), equal)
    })
  }
})
