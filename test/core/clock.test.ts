import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Clock, SystemClock } from '../../src/core/index.ts'
import { readClock } from '../../src/core/internal.ts'

class FixedClock extends Clock {
  override now(): Date {
    return new Date(1_767_225_600_999)
  }
}

/** Gives anything for a moment. */
class OddClock extends FixedClock {
  readonly #milliseconds: unknown

  constructor(milliseconds: unknown) {
    super()
    this.#milliseconds = milliseconds
  }

  override milliseconds(): number {
    return this.#milliseconds as number
  }
}

describe('Clock', () => {
  it('returns a Unix timestamp in whole seconds, rounded down [SCOPE-07]', () => {
    assert.equal(new FixedClock().timestamp(), 1_767_225_600)
  })

  it('a clock of the application needs now() only [SCOPE-07]', () => {
    assert.equal(new FixedClock().milliseconds(), 1_767_225_600_999)
  })

  it('the clock of the machine follows the machine [SCOPE-07]', () => {
    const before = Date.now()
    const clock = new SystemClock()

    const [now, milliseconds, seconds] = [clock.now().getTime(), clock.milliseconds(), clock.timestamp()]

    assert.ok(now >= before && now <= Date.now())
    assert.ok(milliseconds >= before && milliseconds <= Date.now())
    assert.ok(Math.abs(seconds * 1000 - before) < 2000)
  })

  for (const [given, named] of [
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
    [-1, '-1'],
    [-8.64e15, '-8640000000000000'],
    [8.64e15 + 1, '8640000000000001'],
    ['1767225600999', 'a value of type string'],
    [1_767_225_600_999n, 'a value of type bigint'],
    [new Date(), 'a value of type object'],
    [null, 'a value of type object'],
    [undefined, 'a value of type undefined'],
  ] as const) {
    it(`${named} is not a time [HOLD-50]`, () => {
      const refusal = {
        name: 'TypeError',
        message: `Cannot read the clock: milliseconds() returned ${named}, not Unix milliseconds`,
      }

      assert.throws(() => readClock(new OddClock(given)), refusal)
      assert.throws(() => new OddClock(given).timestamp(), refusal)
    })
  }

  it('an invalid date is not a time [HOLD-50]', () => {
    class BrokenClock extends Clock {
      override now(): Date {
        return new Date('not a date')
      }
    }

    assert.throws(() => new BrokenClock().timestamp(), TypeError)
    assert.throws(() => readClock(new BrokenClock()), TypeError)
  })

  it('fractions, and times from 1970 to the largest date, are valid [HOLD-50]', () => {
    for (const moment of [0, 0.5, 8.64e15]) assert.equal(readClock(new OddClock(moment)), moment)
  })
})
