import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { FrozenClock } from 'sallyport/testing'
import { TooManyRequestsException } from 'sallyport/http'
import type { AttemptLimit, Attempts } from '../../identity/attempts.ts'
import { accounts } from './fixture.ts'

const LIMIT: AttemptLimit = { failures: 3, windowSeconds: 900 }

async function empty(test: TestContext): Promise<{ attempts: Attempts; clock: FrozenClock }> {
  return accounts(test)
}

async function fail(attempts: Attempts, times: number, subject = 'factor:u1'): Promise<void> {
  for (let i = 0; i < times; i++) await attempts.reserve(subject, LIMIT)
}

describe('Attempts', () => {
  it('FACTOR-18, FACTOR-19: locks a subject for the window after its last failure', async (test) => {
    const { attempts, clock } = await empty(test)
    await fail(attempts, 2)
    clock.advance(600)
    await fail(attempts, 1)

    await assert.rejects(attempts.reserve('factor:u1', LIMIT), (error: unknown) => {
      assert.ok(error instanceof TooManyRequestsException)
      assert.equal(error.headers['retry-after'], '900')
      return true
    })
    clock.advance(899)
    await assert.rejects(attempts.reserve('factor:u1', LIMIT), TooManyRequestsException)
    clock.advance(1)
    await attempts.reserve('factor:u1', LIMIT)
  })

  it('does not lock for failures that lie further apart than the window', async (test) => {
    const { attempts, clock } = await empty(test)

    for (let i = 0; i < 9; i++) {
      await fail(attempts, 1)
      clock.advance(450)
    }

    assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), 0)
  })

  it('begins with a full budget after a lock', async (test) => {
    const { attempts, clock } = await empty(test)
    await fail(attempts, 3)
    clock.advance(900)

    await fail(attempts, 3)

    assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), 900)
  })

  it('does not prolong a lock by tries during it', async (test) => {
    const { attempts, clock } = await empty(test)
    await fail(attempts, 3)
    clock.advance(500)

    await assert.rejects(attempts.reserve('factor:u1', LIMIT), TooManyRequestsException)

    assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), 400)
  })

  it('counts subjects apart', async (test) => {
    const { attempts } = await empty(test)
    await fail(attempts, 3)

    await fail(attempts, 1, 'factor:u2')

    assert.equal(await attempts.lockedSeconds('factor:u2', LIMIT), 0)
  })

  it('does not count a try that is taken back, and forgets all on demand', async (test) => {
    const { attempts } = await empty(test)
    for (let i = 0; i < 9; i++) await attempts.takeBack(await attempts.reserve('factor:u1', LIMIT))
    await fail(attempts, 3)
    assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), 900)

    await attempts.forget('factor:u1')

    assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), 0)
  })

  it('lets through as many of a hundred simultaneous tries as the limit says', async (test) => {
    const { attempts } = await empty(test)

    const tries = await Promise.allSettled(
      Array.from({ length: 100 }, () => attempts.reserve('factor:u1', LIMIT)),
    )

    assert.equal(tries.filter((result) => result.status === 'fulfilled').length, 3)
  })

  it('stays locked when the clock is set back', async (test) => {
    const { attempts, clock } = await empty(test)
    await fail(attempts, 3)

    clock.advance(-3600)

    await assert.rejects(attempts.reserve('factor:u1', LIMIT), TooManyRequestsException)
  })

  it('keeps no row that limits nothing any more', async (test) => {
    const { attempts, clock, database } = await accounts(test)
    await fail(attempts, 3)
    clock.advance(24 * 3600)

    await attempts.reserve('factor:u2', LIMIT)

    const rows = await database.selectFrom('attempt').select('subject').execute()
    assert.deepEqual(
      rows.map((row) => row.subject),
      ['factor:u2'],
    )
  })

  it('refuses a window that reaches further back than rows are kept', async (test) => {
    const { attempts } = await empty(test)

    await assert.rejects(attempts.reserve('factor:u1', { failures: 3, windowSeconds: 43_201 }), RangeError)
  })
})
