import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { FrozenClock } from 'sallyport/testing'
import { ServiceUnavailableException, TooManyRequestsException } from 'sallyport/http'
import { openDatabase } from '../../../database/open.ts'
import { PARTS } from '../../../parts.ts'
import { Attempts } from '../../../identity/limits/attempts.ts'
import type { AttemptLimit } from '../../../identity/limits/lock-length.ts'
import { services, temporary } from '../../support.ts'
import { accounts } from '../fixture.ts'

const LIMIT: AttemptLimit = { failures: 3, windowSeconds: 900 }

async function empty(test: TestContext): Promise<{ attempts: Attempts; clock: FrozenClock }> {
  return accounts(test)
}

async function failOnce(attempts: Attempts, subject = 'factor:u1', limit = LIMIT): Promise<void> {
  await attempts.judge([{ subject, limit }], async () => undefined)
}

async function fail(attempts: Attempts, times: number, subject = 'factor:u1'): Promise<void> {
  for (let i = 0; i < times; i++) await failOnce(attempts, subject)
}

async function succeed(attempts: Attempts, subject = 'factor:u1'): Promise<void> {
  await attempts.judge([{ subject, limit: LIMIT }], (counted) => counted.takeBack())
}

// Two connections to one file, as two processes have.
async function twoProcesses(test: TestContext): Promise<readonly [Attempts, Attempts]> {
  const path = join(temporary(test), 'accounts.sqlite')
  const clock = new FrozenClock('2026-01-01T00:00:00Z')
  const open = async (): Promise<Attempts> => {
    const database = await openDatabase(path, { parts: PARTS, durable: false })
    test.after(() => database.destroy())
    return (await services({ database, clock })).get(Attempts)
  }
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

    assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), 0)
  })

  it('starts with a full budget after a lock', async (test) => {
    const { attempts, clock } = await empty(test)
    await fail(attempts, 3)
    clock.advance(900)

    await fail(attempts, 3)

    assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), 900)
  })

  it('does not prolong a lock by attempts during it', async (test) => {
    const { attempts, clock } = await empty(test)
    await fail(attempts, 3)
    clock.advance(500)

    await assert.rejects(failOnce(attempts), TooManyRequestsException)

    assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), 400)
  })

  it('counts subjects separately', async (test) => {
    const { attempts } = await empty(test)
    await fail(attempts, 3)

    await fail(attempts, 1, 'factor:u2')

    assert.equal(await attempts.lockedSeconds('factor:u2', LIMIT), 0)
  })

  it('does not count an attempt that is taken back, and resets all on request', async (test) => {
    const { attempts } = await empty(test)
    for (let i = 0; i < 9; i++) await succeed(attempts)
    await fail(attempts, 3)
    assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), 900)

    await attempts.forget(['factor:u1'])

    assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), 0)
  })

  it('admits as many of a hundred simultaneous attempts as the limit allows', async (test) => {
    const { attempts } = await empty(test)

    const tries = await Promise.allSettled(Array.from({ length: 100 }, () => failOnce(attempts)))

    assert.equal(tries.filter((result) => result.status === 'fulfilled').length, 3)
  })

  it('checks nothing that is locked, and counts nothing that is not checked', async (test) => {
    const { attempts, database } = await accounts(test)
    await fail(attempts, 3)
    const failing = attempts.judge([{ subject: 'factor:u2', limit: LIMIT }], async () => {
      throw new Error('no hash now')
    })

    await assert.rejects(failing, /no hash now/)
    const both = [
      { subject: 'factor:u2', limit: LIMIT },
      { subject: 'factor:u1', limit: LIMIT },
    ]
    await assert.rejects(
      attempts.judge(both, async () => assert.fail('it was judged')),
      TooManyRequestsException,
    )

    const rows = await database.selectFrom('attempt').select('subject').execute()
    assert.deepEqual(
      rows.map((row) => row.subject),
      ['factor:u1', 'factor:u1', 'factor:u1'],
    )
  })

  it('takes back no other attempt, whatever was reset in the meantime', async (test) => {
    const { attempts, database } = await accounts(test)

    await attempts.judge([{ subject: 'factor:u1', limit: LIMIT }], async (counted) => {
      await attempts.forget(['factor:u1'])
      await failOnce(attempts, 'factor:u2')
      await counted.takeBack()
    })

    const rows = await database.selectFrom('attempt').select('subject').execute()
    assert.deepEqual(
      rows.map((row) => row.subject),
      ['factor:u2'],
    )
  })

  it('admits any number of correct simultaneous attempts, and no more wrong ones than before [HOLD-60]', async (test) => {
    const { attempts } = await empty(test)
    const limited = [{ subject: 'factor:u1', limit: LIMIT }]
    const right = await Promise.allSettled(
      Array.from({ length: 40 }, () =>
        attempts.judge(limited, async (counted) => {
          await nextTurn()
          await counted.takeBack()
        }),
      ),
    )
    let judged = 0
    const wrong = await Promise.allSettled(
      Array.from({ length: 40 }, () =>
        attempts.judge(limited, async () => {
          judged++
          await nextTurn()
        }),
      ),
    )

    assert.deepEqual(new Set(right.map(({ status }) => status)), new Set(['fulfilled']))
    assert.equal(judged, 3)
    const refused = wrong.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    )
    assert.equal(refused.length, 37)
    for (const reason of refused) assert.ok(reason instanceof TooManyRequestsException)
  })

  it('makes only a few wait for attempts that are being checked [HOLD-60]', async (test) => {
    const { attempts } = await empty(test)
    const limited = [{ subject: 'factor:u1', limit: LIMIT }]
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const judge = (): Promise<void> =>
      attempts.judge(limited, async (counted) => over.then(() => counted.takeBack()))

    const tries = Array.from({ length: 100 }, judge)
    const first = await Promise.any(
      tries.map((each) =>
        each.then(
          () => assert.fail('it was judged'),
          (error: unknown) => error,
        ),
      ),
    )
    end()
    const outcomes = await Promise.allSettled(tries)

    assert.ok(first instanceof ServiceUnavailableException)
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 67)
  })

  it('admits correct simultaneous attempts of several processes, and no more wrong ones than before [HOLD-60]', async (test) => {
    const [here, there] = await twoProcesses(test)
    const limited = [{ subject: 'factor:u1', limit: LIMIT }]
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    let count = 0
    const right = Array.from({ length: LIMIT.failures }, () =>
      here.judge(limited, async (counted) => {
        if (++count === LIMIT.failures) begin()
        await over
        await counted.takeBack()
      }),
    )
    await begun
    const late = there.judge(limited, (counted) => counted.takeBack())
    assert.equal(await Promise.race([late, pause(200, 'waits')]), 'waits')
    end()
    await Promise.all([...right, late])

    let judged = 0
    const wrong = await Promise.allSettled(
      [here, there, here, there, here, there].map((process) =>
        process.judge(limited, async () => {
          judged++
          await nextTurn()
        }),
      ),
    )

    assert.equal(judged, LIMIT.failures)
    const refused = wrong.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    )
    assert.equal(refused.length, 3)
    for (const reason of refused) assert.ok(reason instanceof TooManyRequestsException)
  })

  it('an attempt of a process that was killed while checking is a failure [HOLD-60]', async (test) => {
    const { attempts, clock, database } = await accounts(test)
    const killed = Array.from({ length: LIMIT.failures }, () => ({
      subject: 'factor:u1',
      at: clock.timestamp(),
      judged: 0,
    }))
    await database.insertInto('attempt').values(killed).execute()

    assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), 0)
    clock.advance(30)
    assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), LIMIT.windowSeconds - 30)
    await assert.rejects(failOnce(attempts), TooManyRequestsException)
  })

  for (const ahead of [1, 60, 3600, 24 * 3600, 365 * 24 * 3600]) {
    it(`a failure dated ${ahead} seconds ahead counts as one of now, and no longer [HOLD-50]`, async (test) => {
      const { attempts, clock } = await empty(test)
      await fail(attempts, 2)
      clock.advance(ahead)
      await fail(attempts, 1)
      clock.advance(-ahead)

      // So far ahead all older ones are of no account any more, and removed.
      if (ahead > 36 * 3600) await fail(attempts, 2)
      assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), 900)
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

      assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), 900)
      await assert.rejects(failOnce(attempts), TooManyRequestsException)
      clock.advance(899)
      await assert.rejects(failOnce(attempts), TooManyRequestsException)
      clock.advance(1)
      await fail(attempts, 1)
    })
  }

  it('keeps no row that no longer limits anything', async (test) => {
    const { attempts, clock, database } = await accounts(test)
    await fail(attempts, 3)
    clock.advance(36 * 3600)

    await failOnce(attempts, 'factor:u2')

    const rows = await database.selectFrom('attempt').select('subject').execute()
    assert.deepEqual(
      rows.map((row) => row.subject),
      ['factor:u2'],
    )
  })

  it('refuses a window that reaches further back than rows are kept', async (test) => {
    const { attempts } = await empty(test)

    await assert.rejects(failOnce(attempts, 'factor:u1', { failures: 3, windowSeconds: 43_201 }), RangeError)
    const growing = { failures: 3, windowSeconds: 900, maxLockSeconds: 43_201 }
    await assert.rejects(failOnce(attempts, 'factor:u1', growing), RangeError)
  })
})

describe('a lock that grows', () => {
  const GROWING: AttemptLimit = { ...LIMIT, maxLockSeconds: 7200 }
  const failTogether = async (attempts: Attempts, times = 3): Promise<void> => {
    for (let i = 0; i < times; i++) await failOnce(attempts, 'factor:u1', GROWING)
  }
  const waited = async ({ attempts, clock }: { attempts: Attempts; clock: FrozenClock }): Promise<number> => {
    const seconds = await attempts.lockedSeconds('factor:u1', GROWING)
    clock.advance(seconds - 1)
    await assert.rejects(failOnce(attempts, 'factor:u1', GROWING), (error: unknown) => {
      assert.ok(error instanceof TooManyRequestsException)
      assert.equal(error.headers['retry-after'], '1')
      return true
    })
    clock.advance(1)
    assert.equal(await attempts.lockedSeconds('factor:u1', GROWING), 0)
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

  it('lasts equally long for whole days, and is forgotten after one without a failure [RA-0203]', async (test) => {
    const at = await empty(test)
    for (let locks = 0; locks < 60; locks++) {
      await failTogether(at.attempts)
      const seconds = await waited(at)
      if (locks >= 3) assert.equal(seconds, 7200)
    }
    await failTogether(at.attempts)
    at.clock.advance(24 * 3600)

    await failTogether(at.attempts)

    assert.equal(await waited(at), 900)
  })

  it('is forgotten with the failures [RA-0203]', async (test) => {
    const at = await empty(test)
    for (let locks = 0; locks < 3; locks++) {
      await failTogether(at.attempts)
      await waited(at)
    }

    await at.attempts.forget(['factor:u1'])
    await failTogether(at.attempts)

    assert.equal(await waited(at), 900)
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

  it('is as long for simultaneous attempts, and admits no more of them [RA-0203]', async (test) => {
    const at = await empty(test)
    await failTogether(at.attempts)
    await waited(at)

    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, () => failOnce(at.attempts, 'factor:u1', GROWING)),
    )

    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 3)
    assert.equal(await waited(at), 1800)
  })

  it('is shown as long among many [RA-0203]', async (test) => {
    const at = await empty(test)
    await failTogether(at.attempts)
    await waited(at)
    await failTogether(at.attempts)

    const waits = await at.attempts.locks([{ subject: 'factor:u1', limit: GROWING }])

    assert.deepEqual([...waits], [['factor:u1', 1800]])
  })
})

describe('Attempts.judgeAtOnce()', () => {
  const limited = [{ subject: 'factor:u1', limit: LIMIT }]

  it('of fifty wrong codes at once, as many are checked as the limit allows [RA-0404 RA-2702]', async (test) => {
    const { attempts } = await empty(test)
    let checked = 0

    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        attempts.judgeAtOnce(limited, async () => {
          checked += 1
          return 'wrong'
        }),
      ),
    )

    assert.equal(checked, LIMIT.failures)
    assert.equal(tries.filter(({ status }) => status === 'rejected').length, 50 - LIMIT.failures)
    assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), LIMIT.windowSeconds)
  })

  it('counts nothing when the check fails, when nothing was checked, or when the code was right', async (test) => {
    const { attempts } = await empty(test)
    for (let times = 0; times < LIMIT.failures; times += 1) {
      await assert.rejects(
        attempts.judgeAtOnce(limited, () => Promise.reject(new Error('disk'))),
        /disk/,
      )
      assert.equal(await attempts.judgeAtOnce(limited, async () => 'unchecked'), 'unchecked')
      assert.equal(await attempts.judgeAtOnce(limited, async () => 'right'), 'right')
    }

    assert.equal(await attempts.lockedSeconds('factor:u1', LIMIT), 0)
  })

  it('waits for attempts that are still being checked, which may turn out right', async (test) => {
    const { attempts } = await empty(test)
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const others = Array.from({ length: LIMIT.failures }, () =>
      attempts.judge(limited, async (counted) => over.then(() => counted.takeBack())),
    )
    let isDone = false
    const late = attempts.judgeAtOnce(limited, async () => 'right').finally(() => (isDone = true))
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(isDone, false)

    end()

    assert.equal(await late, 'right')
    await Promise.all(others)
  })
})

describe('a limit of right attempts', () => {
  it('counts them and no failure, and locks beside the limit of failures [MEND-06]', async (test) => {
    const { attempts, clock } = await empty(test)
    const right = { subject: 'right-password:u1', limit: LIMIT, countsRight: true } as const
    const both = [{ subject: 'password:u1', limit: LIMIT }, right]
    for (let times = 0; times < 2; times += 1) await attempts.judge(both, async () => undefined)
    await attempts.forget(['password:u1'])
    await assert.rejects(
      attempts.judge(both, () => Promise.reject(new ServiceUnavailableException('Busy'))),
      ServiceUnavailableException,
    )

    for (let times = 0; times < LIMIT.failures; times += 1)
      await attempts.judge(both, (counted) => counted.takeBack())

    await assert.rejects(
      attempts.judge(both, (counted) => counted.takeBack()),
      TooManyRequestsException,
    )
    assert.equal(await attempts.lockedSeconds('password:u1', LIMIT), 0)
    clock.advance(LIMIT.windowSeconds)
    await attempts.judge(both, (counted) => counted.takeBack())
  })
})
