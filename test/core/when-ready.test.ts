import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { whenReady } from '../../src/core/internal.ts'

function broken(): never {
  throw new RangeError('no')
}

describe('whenReady()', () => {
  it('continues at once with an available value', () => {
    assert.equal(
      whenReady(20, (value) => value + 1),
      21,
    )
  })

  it('awaits a promise', async () => {
    const later = whenReady(Promise.resolve(20), (value) => value + 1)

    assert.ok(later instanceof Promise)
    assert.equal(await later, 21)
  })

  it('returns the promise of the function', async () => {
    assert.equal(await whenReady(1, async (value) => value + 1), 2)
    assert.equal(await whenReady(Promise.resolve(1), async (value) => value + 1), 2)
  })

  it('throws an exception of the function at once, and rejects with a later one', async () => {
    assert.throws(() => whenReady(1, broken), RangeError)
    await assert.rejects(async () => whenReady(Promise.resolve(1), broken), RangeError)
  })

  it('rejects with the reason of the promise, without calling the function', async () => {
    let calls = 0

    await assert.rejects(
      async () => whenReady(Promise.reject(new RangeError('no')), () => calls++),
      RangeError,
    )

    assert.equal(calls, 0)
  })
})
