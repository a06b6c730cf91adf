import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'

import { BodyClock } from '../../src/node/body-clock.ts'

/** A clock whose time the test passes. */
function start(
  t: TestContext,
  bytesPerSecond: number | null,
): { clock: BodyClock; pass(milliseconds: number): void } {
  let now = 0
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(performance, 'now', () => now)
  const clock = new BodyClock(() => ({ milliseconds: 1000, bytesPerSecond }))
  const pass = (milliseconds: number): void => {
    for (let i = 0; i < milliseconds; i++) {
      now++
      t.mock.timers.tick(1)
    }
  }
  return { clock, pass }
}

describe('BodyClock', () => {
  it('is over after its time, once', (t) => {
    const { clock, pass } = start(t, null)
    let count = 0
    clock.onOver = () => count++
    clock.wait()
    pass(999)
    assert.equal(clock.isOver, false)

    pass(2000)

    assert.deepEqual([clock.isOver, count], [true, 1])
  })

  it('is over however much arrives, if bytes do not prolong it', (t) => {
    const { clock, pass } = start(t, null)
    clock.wait()

    for (let i = 0; i < 11; i++) {
      pass(100)
      clock.take(1_000_000)
    }

    assert.equal(clock.isOver, true)
  })

  it('is prolonged by what arrives, at the rate', (t) => {
    const { clock, pass } = start(t, 100)
    clock.wait()
    for (let i = 0; i < 50; i++) {
      pass(100)
      clock.take(10)
    }
    assert.equal(clock.isOver, false)

    // Half the rate: a second of patience lasts two.
    for (let i = 0; i < 15; i++) {
      pass(100)
      clock.take(5)
    }
    assert.equal(clock.isOver, false)
    for (let i = 0; i < 10; i++) {
      pass(100)
      clock.take(5)
    }

    assert.equal(clock.isOver, true)
  })

  it('allows no longer silence for what has arrived before', (t) => {
    const { clock, pass } = start(t, 100)
    clock.wait()
    pass(10)
    clock.take(1_000_000)

    pass(1001)

    assert.equal(clock.isOver, true)
  })

  it('counts only while something waits', (t) => {
    const { clock, pass } = start(t, null)
    for (let i = 0; i < 9; i++) {
      clock.wait()
      pass(100)
      clock.pause()
      pass(5000)
    }
    assert.equal(clock.isOver, false)

    clock.wait()
    pass(101)

    assert.equal(clock.isOver, true)
  })

  it('is not over when it was stopped', (t) => {
    const { clock, pass } = start(t, null)
    clock.wait()
    clock.stop()

    pass(5000)

    assert.equal(clock.isOver, false)
  })
})
