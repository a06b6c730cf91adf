import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Clock, SystemClock } from '../../src/core/index.ts'

class FixedClock extends Clock {
  override now(): Date {
    return new Date(1_767_225_600_999)
  }
}

describe('Clock', () => {
  it('SCOPE-07: gives a Unix timestamp in whole seconds, rounded down', () => {
    assert.equal(new FixedClock().timestamp(), 1_767_225_600)
  })

  it('SCOPE-07: a clock of the application needs now() only', () => {
    assert.equal(new FixedClock().milliseconds(), 1_767_225_600_999)
  })

  it('SCOPE-07: the clock of the machine follows the machine', () => {
    const before = Date.now()
    const clock = new SystemClock()

    const [now, milliseconds, seconds] = [clock.now().getTime(), clock.milliseconds(), clock.timestamp()]

    assert.ok(now >= before && now <= Date.now())
    assert.ok(milliseconds >= before && milliseconds <= Date.now())
    assert.ok(Math.abs(seconds * 1000 - before) < 2000)
  })
})
