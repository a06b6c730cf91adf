import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { isPromiseLike } from '../../src/core/internal.ts'

describe('isPromiseLike()', () => {
  it('is true for promises and thenables of other libraries', () => {
    const thenable = Object.defineProperty({}, 'then', { value: () => undefined })

    assert.deepEqual([Promise.resolve(), thenable].map(isPromiseLike), [true, true])
  })

  it('is false for everything else', () => {
    const data = Object.defineProperty({}, 'then', { value: 'later' })

    assert.deepEqual(
      [undefined, null, 'then', 1, {}, data, () => undefined].map(isPromiseLike),
      Array.from({ length: 7 }, () => false),
    )
  })
})
