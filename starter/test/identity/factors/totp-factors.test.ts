import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { generate } from 'otplib/functional'
import type { Account } from '../../../core/accounts/account.ts'
import { Challenges } from '../../../core/challenges/challenges.ts'
import type { TotpLeeway } from '../../../core/settings.ts'
import { type Accounts, accounts } from '../fixture.ts'
import { pending } from '../../identity.ts'

interface Enrolled extends Accounts {
  readonly account: Account
  readonly secret: string
  readonly factorId: string
  /** The code of a step, counted from the one at which the test began. */
  readonly code: (step: number) => Promise<string>
  readonly verify: (code: unknown) => Promise<boolean>
}

async function enrolled(test: TestContext, leeway?: TotpLeeway): Promise<Enrolled> {
  const services = await accounts(test, leeway === undefined ? {} : { leeway })
  const { users, factors, clock } = services
  const id = await users.add({ email: 'ada@example.test', name: 'Ada', passwordHash: null }, clock)
  const factor = await factors.add(id, 'App', clock)
  await factors.enableUnproven(factor.id, clock)
  const identity = await users.authenticationIdentity(id)
  assert.ok(identity !== null)
  const account = identity.principal
  const begin = clock.timestamp()
  const secret = factor.secret.reveal()
  return {
    ...services,
    account,
    secret,
    factorId: factor.id,
    code: (step) => generate({ secret, epoch: begin + 30 * step }),
    verify: (code) => factors.verifyAndConsume(account, code),
  }
}

describe('TotpFactors.verifyAndConsume()', () => {
  it('accepts each code once, and none below the last accepted step [FACTOR-01 FACTOR-03 FACTOR-04 FACTOR-09 FACTOR-10 FACTOR-11 RA-2703]', async (test) => {
    const { verify, code } = await enrolled(test)
    const results: boolean[] = []

    for (const step of [-1, -1, 0, 0, -1]) results.push(await verify(await code(step)))

    assert.deepEqual(results, [true, false, true, false, false])
  })

  it('with a leeway ahead, a client with a fast clock cannot use its code twice [FACTOR-11]', async (test) => {
    const { verify, code, clock } = await enrolled(test, { pastSeconds: 29, futureSeconds: 29 })
    clock.advance(1)

    const early = await verify(await code(1))
    const same = [await verify(await code(0)), await verify(await code(1))]
    clock.advance(30)
    const next = [await verify(await code(1)), await verify(await code(2))]

    assert.deepEqual([early, same, next], [true, [false, false], [false, true]])
  })

  it('tolerates 29 seconds of the previous step and nothing ahead [FACTOR-12 LIMIT-03 RA-0402]', async (test) => {
    const { verify, secret, clock } = await enrolled(test)
    for (const [seconds, step, expected] of [
      [0, 0, true],
      [29, 0, true],
      [0, -1, true],
      [28, -1, true],
      [29, -1, false],
      [0, -2, false],
      [0, 1, false],
      [29, 1, false],
    ] as const) {
      // The beginning of a step, long after what was used before.
      clock.advance(600 - (clock.timestamp() % 30))
      const code = await generate({ secret, epoch: clock.timestamp() + 30 * step })
      clock.advance(seconds)

      assert.equal(await verify(code), expected, `step ${step} at second ${seconds}`)
    }
  })

  it('of fifty simultaneous submissions of one code, one succeeds [FACTOR-05]', async (test) => {
    const { factors, account, code, attempts } = await enrolled(test)
    const digits = await code(0)

    // The limit would refuse most of them before the code is checked; another test covers that.
    test.mock.method(attempts, 'assertOpen', async () => undefined)
    test.mock.method(attempts, 'count', async () => new Map())
    const results = await Promise.all(
      Array.from({ length: 50 }, () => factors.verifyAndConsume(account, digits)),
    )

    assert.equal(results.filter(Boolean).length, 1)
  })

  it('of all codes for one challenge, simultaneous or later, one is accepted; another challenge accepts the next [A-121]', async (test) => {
    const { app, factors, account, code } = await enrolled(test)
    const challenges = app.get(Challenges)
    await challenges.reserve('first', account.id)
    await challenges.reserve('second', account.id)
    const verify = async (challenge: string, step: number): Promise<boolean> =>
      factors.verifyAndConsume(account, await code(step), pending(challenge))

    const atOnce = await Promise.all([verify('first', -1), verify('first', 0), verify('first', -1)])

    assert.equal(atOnce.filter(Boolean).length, 1)
    assert.equal(await verify('first', 0), false)
    assert.equal(await challenges.isOpen('first'), false)
    assert.equal(await verify('second', 0), atOnce.indexOf(true) !== 1)
  })

  for (const ahead of [30, 365 * 24 * 3600]) {
    it(`a code accepted ${ahead} seconds ahead locks nobody out after the clock is set back, and is not accepted again [HOLD-50]`, async (test) => {
      const { verify, secret, clock } = await enrolled(test)
      const present = (): Promise<string> => generate({ secret, epoch: clock.timestamp() })
      const early = await present()
      assert.equal(await verify(early), true)
      clock.advance(ahead)
      const late = await present()
      assert.equal(await verify(late), true)
      clock.advance(-ahead)

      assert.equal(await verify(early), false, 'the code of before')
      clock.advance(30)
      assert.equal(await verify(await present()), ahead !== 30, 'the next code')
      clock.advance(ahead - 30)
      assert.equal(await verify(late), false, 'the code of then, at its time')
      clock.advance(30)
      assert.equal(await verify(await present()), true)
    })
  }

  it('remembers a hundred codes of a factor, whatever their time, and no more [HOLD-50]', async (test) => {
    const { verify, secret, clock, database, factors, account } = await enrolled(test)
    const second = await factors.add(account.id, 'Tablet', clock)
    await factors.enableUnproven(second.id, clock)
    for (let i = 0; i < 103; i++) {
      clock.advance(30)
      assert.equal(await verify(await generate({ secret, epoch: clock.timestamp() })), true)
    }
    const other = await generate({ secret: second.secret.reveal(), epoch: clock.timestamp() })
    assert.equal(await verify(other), true)

    const rows = await database.selectFrom('used_step').select(['factor_id', 'step']).execute()
    const own = rows.filter((row) => row.factor_id !== second.id)

    assert.equal(own.length, 100)
    assert.equal(rows.length, 101)
    assert.equal(Math.max(...own.map(({ step }) => step)), clock.timestamp() / 30)
  })
})

describe('TotpFactors', () => {
  it('cannot be built with a leeway that is not smaller than the period [FACTOR-12]', async (test) => {
    for (const seconds of [30, -1, 1.5, Number.NaN]) {
      await assert.rejects(accounts(test, { leeway: { pastSeconds: seconds } }), RangeError)
      await assert.rejects(accounts(test, { leeway: { futureSeconds: seconds } }), RangeError)
    }
  })
})
