import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { whenReady } from '../../src/core/internal.ts'

function broken(): never {
  throw new RangeError('no')
}

describe('whenReady()', () => {
  it('goes on at once with what is here', () => {
    assert.equal(
      whenReady(20, (value) => value + 1),
      21,
    )
  })

  it('waits for what is not', async () => {
    const later = whenReady(Promise.resolve(20), (value) => value + 1)

    assert.ok(later instanceof Promise)
    assert.equal(await later, 21)
  })

  it('gives the promise that the work gives', async () => {
    assert.equal(await whenReady(1, async (value) => value + 1), 2)
    assert.equal(await whenReady(Promise.resolve(1), async (value) => value + 1), 2)
  })

  it('throws what the work throws at once, and rejects with what it throws later', async () => {
    assert.throws(() => whenReady(1, broken), RangeError)
    await assert.rejects(async () => whenReady(Promise.resolve(1), broken), RangeError)
  })

  it('rejects with what the promise rejects with, and does not begin the work', async () => {
    let calls = 0

    await assert.rejects(
      async () => whenReady(Promise.reject(new RangeError('no')), () => calls++),
      RangeError,
    )

    assert.equal(calls, 0)
  })
})
