import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { within } from '../../src/session/deadline.ts'
import { SessionStoreException } from '../../src/session/session-store-exception.ts'

const never = new Promise<never>(() => undefined)

describe('within()', () => {
  it('returns the outcome of an operation that ends in time', async () => {
    assert.equal(await within({ milliseconds: 1000, server: 'Example' }, Promise.resolve(1)), 1)
    await assert.rejects(
      within({ milliseconds: 1000, server: 'Example' }, Promise.reject(new RangeError('no'))),
      RangeError,
    )
  })

  it('rejects when the time is over, and names the server', async () => {
    await assert.rejects(within({ milliseconds: 5, server: 'Example' }, never), {
      constructor: SessionStoreException,
      code: 'ERR_SESSION_STORE_TIMEOUT',
      message: 'Example did not answer in time',
    })
  })

  it('lets the caller see and replace the rejection', async () => {
    const seen: Error[] = []
    const failed = (error: Error): Error => {
      seen.push(error)
      return new TypeError('replaced', { cause: error })
    }

    await assert.rejects(within({ milliseconds: 5, server: 'Example', failed }, never), TypeError)
    await assert.rejects(
      within({ milliseconds: 5, server: 'Example', failed }, Promise.reject(new RangeError('no'))),
      TypeError,
    )

    assert.ok(seen[0] instanceof SessionStoreException)
    assert.ok(seen[1] instanceof RangeError)
  })

  it('turns a value that is not an error into one', async () => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- that is the point
    await assert.rejects(within({ milliseconds: 5, server: 'Example' }, Promise.reject('no')), {
      cause: 'no',
    })
  })

  it('ignores a later outcome, even a failure', async () => {
    const { promise, reject } = Promise.withResolvers<never>()
    await assert.rejects(within({ milliseconds: 1, server: 'Example' }, promise), SessionStoreException)

    reject(new Error('too late'))
    await nextTurn()
  })

  it('reports once an operation that fails when its time is already over', async () => {
    const failures: Error[] = []
    const failed = (error: Error): Error => {
      failures.push(error)
      return error
    }
    const { promise, reject } = Promise.withResolvers<never>()
    const waiting = within({ milliseconds: 1, server: 'Example', failed }, promise)
    setTimeout(() => reject(new RangeError('no')), 1)

    // Both timers are due in the same turn of the loop.
    const end = performance.now() + 5
    while (performance.now() < end);

    await assert.rejects(waiting, RangeError)
    await nextTurn()
    assert.equal(failures.length, 1)
  })

  it('leaves no timer behind', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()

    await within({ milliseconds: 60_000, server: 'Example' }, Promise.resolve(1))
    const failing = within({ milliseconds: 60_000, server: 'Example' }, Promise.reject(new Error('no')))
    await assert.rejects(failing, { message: 'no' })

    assert.equal(timers(), before)
  })

  it('fails no operation whose answer came in the turn in which the time ran out', async () => {
    const failed: Error[] = []
    const { promise, resolve } = Promise.withResolvers<string>()

    const outcome = within(
      { milliseconds: 5, server: 'Example', failed: (error) => (failed.push(error), error) },
      promise,
    )
    // Timers of one length run in the order they were set, in one turn.
    setTimeout(() => resolve('answer'), 5)

    assert.equal(await outcome, 'answer')
    await nextTurn()
    await nextTurn()
    assert.deepEqual(failed, [])
  })
})
