import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { assertMilliseconds, MAX_TIMER_MILLISECONDS } from '../../src/core/internal.ts'

describe('assertMilliseconds()', () => {
  it('accepts what a timer supports [HOLD-35]', () => {
    for (const right of [0.5, 1, 700, MAX_TIMER_MILLISECONDS]) assertMilliseconds(right, 'waitMilliseconds')
  })

  it('refuses anything else, and says what was given and what to pass [HOLD-35]', () => {
    for (const wrong of [0, -1, NaN, Infinity, MAX_TIMER_MILLISECONDS + 1, '5', null, undefined, 5n, [5]]) {
      assert.throws(
        () => assertMilliseconds(wrong, 'waitMilliseconds'),
        /^RangeError: Cannot use .+ as waitMilliseconds: it must be a number above 0, at most 2147483647 /,
      )
    }
  })
})
