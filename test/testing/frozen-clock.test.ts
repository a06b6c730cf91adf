import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Clock } from 'sallyport'
import { FrozenClock } from 'sallyport/testing'

describe('FrozenClock', () => {
  it('is a clock that stands still until a test moves it [SCOPE-07]', async () => {
    const clock: Clock = new FrozenClock()
    const first = clock.milliseconds()
    await new Promise((resolve) => setTimeout(resolve, 5))

    assert.ok(clock instanceof Clock)
    assert.equal(clock.milliseconds(), first)
    assert.equal(first, Date.UTC(2026, 0, 1))
  })

  for (const [at, milliseconds] of [
    ['2030-05-01T00:00:00.250Z', Date.UTC(2030, 4, 1) + 250],
    [new Date(5), 5],
    [1_767_225_600, Date.UTC(2026, 0, 1)],
    [0, 0],
    [1.5, 1500],
  ] as const) {
    it(`stands at ${String(at)}`, () => {
      const clock = new FrozenClock(at)

      assert.equal(clock.milliseconds(), milliseconds)
      assert.equal(clock.now().getTime(), milliseconds)
      assert.equal(clock.timestamp(), Math.floor(milliseconds / 1000))
    })
  }

  it('moves on, back, and to another moment', () => {
    const clock = new FrozenClock(1000)

    clock.advance(0.5)
    assert.equal(clock.milliseconds(), 1_000_500)
    clock.advance(-1.5)
    assert.equal(clock.timestamp(), 999)
    clock.set('2026-01-01T00:00:00Z')
    assert.equal(clock.timestamp(), 1_767_225_600)
  })

  it('does not move when a returned date is changed', () => {
    const clock = new FrozenClock(1000)

    clock.now().setFullYear(1999)

    assert.equal(clock.timestamp(), 1000)
  })

  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, 'yesterday', '', new Date(Number.NaN)]) {
    it(`refuses ${String(wrong)}, and keeps its time`, () => {
      const clock = new FrozenClock(1000)

      assert.throws(() => new FrozenClock(wrong), RangeError)
      assert.throws(() => clock.set(wrong), RangeError)
      assert.throws(() => clock.advance(Number.NaN), RangeError)
      assert.equal(clock.timestamp(), 1000)
    })
  }
})
