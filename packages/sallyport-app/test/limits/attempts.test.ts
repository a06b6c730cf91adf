import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from 'sallyport-app/database'
import { Attempts, Limit, timesOf } from 'sallyport-app/limits'
import { TooManyRequestsException } from 'sallyport/http'
import { FrozenClock } from 'sallyport/testing'
import { services, type Services, type Tables } from '../services.ts'
import { temporary } from '../temporary.ts'

const LIMIT = new Limit('factor', 3)

async function empty(test: TestContext): Promise<Services & { readonly attempts: Attempts }> {
  const made = await services(test)
  return { ...made, attempts: made.app.get(Attempts) }
}

async function failuresOf(database: Database<Tables>): Promise<readonly string[]> {
  const rows = await database.selectFrom('attempt').select(['subject', 'times']).orderBy('subject').execute()
  return rows.flatMap(({ subject, times }) => timesOf(times).map(() => subject))
}

// As a password is judged: asked before the check and after it, and counted when it was wrong.
async function guess(
  attempts: Attempts,
  { id = 'u1', limit = LIMIT, check = async (): Promise<boolean> => false } = {},
): Promise<void> {
  const limited = [limit.of(id)]
  await attempts.assertOpen(limited)
  const isRight = await check()
  await attempts.assertOpen(limited)
  if (!isRight) await attempts.count(limited)
}

async function failOnce(attempts: Attempts, id = 'u1', limit = LIMIT): Promise<void> {
  await guess(attempts, { id, limit })
}

async function fail(attempts: Attempts, times: number, id = 'u1'): Promise<void> {
  for (let i = 0; i < times; i++) await failOnce(attempts, id)
}

async function slow(isRight: boolean): Promise<boolean> {
  await nextTurn()
  return isRight
}

function refusals(outcomes: readonly PromiseSettledResult<unknown>[]): readonly unknown[] {
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
}

// Two connections to one file, as two processes have.
async function twoProcesses(test: TestContext): Promise<readonly [Attempts, Attempts]> {
  const path = join(temporary(test), 'attempts.sqlite')
  const clock = new FrozenClock('2026-01-01T00:00:00Z')
  const open = async (): Promise<Attempts> => (await services(test, { path, clock })).app.get(Attempts)
  return [await open(), await open()]
}

describe('Attempts', () => {
  it('locks a subject for the window after its last failure [FACTOR-18 FACTOR-19]', async (test) => {
    const { attempts, clock } = await empty(test)
    await fail(attempts, 2)
    clock.advance(600)
    await fail(attempts, 1)

    await assert.rejects(failOnce(attempts), (error: unknown) => {
      assert.ok(error instanceof TooManyRequestsException)
      assert.equal(error.headers['retry-after'], '900')
      return true
    })
    clock.advance(899)
    await assert.rejects(failOnce(attempts), TooManyRequestsException)
    clock.advance(1)
    await failOnce(attempts)
  })

  it('does not lock for failures that lie further apart than the window', async (test) => {
    const { attempts, clock } = await empty(test)

    for (let i = 0; i < 9; i++) {
      await fail(attempts, 1)
      clock.advance(450)
    }

    assert.equal(await attempts.lockedSeconds(LIMIT.of('u1')), 0)
  })

  it('counts no right attempt, and resets all failures on request', async (test) => {
    const { attempts } = await empty(test)
    for (let i = 0; i < 9; i++) await guess(attempts, { check: () => slow(true) })
    await fail(attempts, 3)
    assert.equal(await attempts.lockedSeconds(LIMIT.of('u1')), 900)

    await attempts.forget([LIMIT.of('u1')])

    assert.equal(await attempts.lockedSeconds(LIMIT.of('u1')), 0)
  })

  it('counts for all subjects or for none', async (test) => {
    const { attempts, database } = await empty(test)
    await fail(attempts, 3)

    await assert.rejects(attempts.count([LIMIT.of('u2'), LIMIT.of('u1')]), TooManyRequestsException)

    assert.deepEqual(await failuresOf(database), ['factor:u1', 'factor:u1', 'factor:u1'])
  })

  it('answers no more of simultaneous guesses than of sequential ones, in several processes [HOLD-60]', async (test) => {
    const [here, there] = await twoProcesses(test)
    const right = Array.from({ length: 40 }, () => guess(here, { check: () => slow(true) }))
    await Promise.all(right)

    const wrong = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        guess(index % 2 === 0 ? here : there, { check: () => slow(false) }),
      ),
    )

    const refused = refusals(wrong)
    assert.equal(refused.length, 40 - LIMIT.failures)
    for (const reason of refused) assert.ok(reason instanceof TooManyRequestsException)
  })

  it('refuses a right guess when others have locked the subject while it was checked', async (test) => {
    const { attempts } = await empty(test)
    const check = async (): Promise<boolean> => {
      await fail(attempts, LIMIT.failures)
      return true
    }

    await assert.rejects(guess(attempts, { check }), TooManyRequestsException)
  })

  for (const ahead of [1, 60, 3600, 24 * 3600, 365 * 24 * 3600]) {
    it(`a failure dated ${ahead} seconds ahead counts as one of now, and no longer [HOLD-50]`, async (test) => {
      const { attempts, clock } = await empty(test)
      await fail(attempts, 2)
      clock.advance(ahead)
      await fail(attempts, 1)
      clock.advance(-ahead)

      // So far ahead the older ones are of no account any more.
      if (ahead >= LIMIT.windowSeconds) await fail(attempts, 2)
      assert.equal(await attempts.lockedSeconds(LIMIT.of('u1')), 900)
      await assert.rejects(failOnce(attempts), TooManyRequestsException)
      clock.advance(900)
      await fail(attempts, 3)
      await assert.rejects(failOnce(attempts), TooManyRequestsException)
    })

    it(`a lock from ${ahead} seconds ahead lasts fifteen minutes, checked or not [HOLD-50]`, async (test) => {
      const { attempts, clock } = await empty(test)
      clock.advance(ahead)
      await fail(attempts, 3)
      clock.advance(-ahead)

      assert.equal(await attempts.lockedSeconds(LIMIT.of('u1')), 900)
      await assert.rejects(failOnce(attempts), TooManyRequestsException)
      clock.advance(899)
      await assert.rejects(failOnce(attempts), TooManyRequestsException)
      clock.advance(1)
      await fail(attempts, 1)
    })
  }

  it('keeps no row that no longer limits anything', async (test) => {
    const { attempts, clock, database } = await empty(test)
    await fail(attempts, 3)
    clock.advance(36 * 3600 - 1)
    await failOnce(attempts, 'u2')
    assert.equal(await attempts.sweep(), 0n)
    clock.advance(1)

    assert.equal(await attempts.sweep(), 1n)

    assert.deepEqual(await failuresOf(database), ['factor:u2'])
  })
})

describe('Limit', () => {
  it('refuses a window that reaches further back than rows are kept', () => {
    assert.throws(() => new Limit('x', 3, { windowSeconds: 43_201 }), RangeError)
    assert.throws(() => new Limit('x', 3, { maxLockSeconds: 43_201 }), RangeError)
  })
})

describe('a lock that grows', () => {
  const GROWING = new Limit('factor', 3, { maxLockSeconds: 7200 })
  const failTogether = async (attempts: Attempts, times = 3): Promise<void> => {
    for (let i = 0; i < times; i++) await failOnce(attempts, 'u1', GROWING)
  }
  const waited = async ({ attempts, clock }: { attempts: Attempts; clock: FrozenClock }): Promise<number> => {
    const seconds = await attempts.lockedSeconds(GROWING.of('u1'))
    clock.advance(seconds - 1)
    await assert.rejects(failOnce(attempts, 'u1', GROWING), (error: unknown) => {
      assert.ok(error instanceof TooManyRequestsException)
      assert.equal(error.headers['retry-after'], '1')
      return true
    })
    clock.advance(1)
    assert.equal(await attempts.lockedSeconds(GROWING.of('u1')), 0)
    return seconds
  }

  it('is twice as long each time, up to its maximum [RA-0203]', async (test) => {
    const at = await empty(test)
    const waits: number[] = []

    for (let locks = 0; locks < 6; locks++) {
      await failTogether(at.attempts)
      waits.push(await waited(at))
    }

    assert.deepEqual(waits, [900, 1800, 3600, 7200, 7200, 7200])
  })

  it('grows by locks, not by failures that did not lock [RA-0203]', async (test) => {
    const at = await empty(test)
    for (let times = 0; times < 30; times++) {
      await failTogether(at.attempts, 2)
      at.clock.advance(901)
    }

    await failTogether(at.attempts)

    assert.equal(await waited(at), 900)
  })
})

describe('Attempts.spend()', () => {
  const limited = [LIMIT.of('u1')]

  it('counts before it acts: of fifty at once, as many act as the limit allows [MEND-06]', async (test) => {
    const { attempts } = await empty(test)
    let acted = 0

    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => attempts.spend(limited, async () => (acted += 1))),
    )

    assert.equal(acted, LIMIT.failures)
    assert.equal(refusals(outcomes).length, 50 - LIMIT.failures)
    assert.equal(await attempts.lockedSeconds(LIMIT.of('u1')), LIMIT.windowSeconds)
  })

  it('counts nothing when it fails, or when there was nothing to do', async (test) => {
    const { attempts, database } = await empty(test)
    for (let times = 0; times < LIMIT.failures; times += 1) {
      await assert.rejects(
        attempts.spend(limited, () => Promise.reject(new Error('no hash now'))),
        /no hash now/,
      )
      assert.equal(await attempts.spend(limited, async () => undefined), undefined)
    }

    assert.deepEqual(await failuresOf(database), [])
  })
})
