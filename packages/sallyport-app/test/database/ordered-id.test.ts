import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FrozenClock } from 'sallyport/testing'
import { orderedId } from 'sallyport-app/database'

const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('orderedId()', () => {
  it('grows within a millisecond, however many there are', () => {
    const clock = new FrozenClock('2126-01-01T00:00:00Z')

    const ids = Array.from({ length: 10_000 }, () => orderedId(clock))

    assert.deepEqual(ids, [...new Set(ids)].toSorted())
    for (const id of ids) assert.match(id, SHAPE)
  })

  it('grows with the clock, and while it is set back', () => {
    const clock = new FrozenClock('2127-01-01T00:00:00Z')

    const ids = [1, 3600, -7200, 1].map((seconds) => {
      clock.advance(seconds)
      return orderedId(clock)
    })

    assert.deepEqual(ids, ids.toSorted())
  })
})
