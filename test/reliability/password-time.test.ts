import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import {
  argon2id,
  bcrypt,
  PASSWORD_BCRYPT,
  PASSWORD_DEFAULT,
  PasswordHasher,
  type PasswordPolicy,
} from 'sallyport/auth'

import { figure, sized } from './figure.ts'
import { Samples } from './samples.ts'

// Real parameters at night; per change such as take a few milliseconds, and still one much longer than the other.
const POLICIES = sized<Policies>(
  {
    current: argon2id({ memoryCost: 1024, timeCost: 1 }),
    older: [bcrypt(6), argon2id({ memoryCost: 4096 })],
  },
  { current: argon2id(), older: [bcrypt(10), bcrypt(12)] },
)
const ROUNDS = sized(30, 25)
// The clause says 15 %; cheap parameters are given more. What counts is the processor's time, for a clock also shows what
// else the machine does; the figures have both.
const TOLERATED = sized(0.3, 0.15)
const PASSWORD = 'correct horse'

interface Policies {
  readonly current: PasswordPolicy
  readonly older: readonly PasswordPolicy[]
}

/** A refused password, and the hash that is stored for the account that it was typed for. */
interface Refusal {
  readonly password: string
  readonly hash: string | null
}

// Milliseconds of all threads: hashes are computed beside this one.
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function hasherOf(
  { algorithm, options }: PasswordPolicy,
  accepts: readonly PasswordPolicy[],
): PasswordHasher {
  return new PasswordHasher(algorithm, options, { accepts })
}

async function refusals(): Promise<Readonly<Record<string, Refusal>>> {
  const { current, older } = POLICIES
  const cases: Record<string, Refusal> = { 'no account': { password: PASSWORD, hash: null } }
  for (const policy of [current, ...older]) {
    const name = `${policy.algorithm} ${JSON.stringify(policy.options)}`
    const hash = await hasherOf(policy, []).hash(PASSWORD)
    cases[`wrong for ${name}`] = { password: 'wrong', hash }
    if (policy.algorithm !== PASSWORD_BCRYPT) continue
    // What bcrypt would cut is refused without a look at the hash; the other one has a salt that no encoder writes.
    cases[`too long for ${name}`] = { password: 'x'.repeat(80), hash }
    cases[`salt that cannot be read, ${name}`] = {
      password: PASSWORD,
      hash: `${hash.slice(0, 28)}/${hash.slice(29)}`,
    }
  }
  cases['no hash at all'] = { password: PASSWORD, hash: 'garbage' }
  cases['digest that cannot be read'] = { password: PASSWORD, hash: '$argon2id$v=19$m=64,t=1,p=1$x$y' }
  return cases
}

// All cases in each round, in another order each time, so that whatever else happens happens to all.
async function medians(hasher: PasswordHasher, cases: Readonly<Record<string, Refusal>>): Promise<Measured> {
  const names = Object.keys(cases)
  const works = new Map(names.map((name) => [name, new Samples()]))
  const waits = new Map(names.map((name) => [name, new Samples()]))
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i * (1 + (round % 2) * (names.length - 2)) + round) % names.length] ?? ''
      const { password, hash } = cases[name] ?? { password: '', hash: null }
      const [work, wait] = [processorTime(), performance.now()]
      assert.equal(await hasher.verify(password, hash), false)
      works.get(name)?.add(processorTime() - work)
      waits.get(name)?.add(performance.now() - wait)
    }
  }
  return { 'of the processor': works, 'by the clock': waits }
}

type Measured = Readonly<Record<'of the processor' | 'by the clock', ReadonlyMap<string, Samples>>>

function report(t: TestContext, measured: Measured): number {
  for (const [kind, times] of Object.entries(measured)) {
    const list = [...times].map(([name, samples]) => `${name} ${samples.at(0.5).toFixed(2)}`).join(', ')
    const what = `medians of ${ROUNDS} refusals each, ms ${kind}: ${list}; the furthest apart by`
    figure(t, 'HOLD-23', { what, value: `${(100 * spreadOf(times)).toFixed(1)} %`, goal: 'at most 15 %' })
  }
  return spreadOf(measured['of the processor'])
}

function spreadOf(times: ReadonlyMap<string, Samples>): number {
  const medians = [...times.values()].map((samples) => samples.at(0.5))
  return Math.max(...medians) / Math.min(...medians) - 1
}

describe('times of refused passwords while hashes migrate', () => {
  it('reveal neither whether there is an account nor the policy of its hash [HOLD-23]', async (t) => {
    const hasher = hasherOf(POLICIES.current, POLICIES.older)

    const spread = report(t, await medians(hasher, await refusals()))

    assert.ok(spread < TOLERATED, `${spread}`)
  })

  it('the same by the default policy and one declared [HOLD-23]', async (t) => {
    const cost = sized(7, 12)
    const old = new PasswordHasher(PASSWORD_BCRYPT, { cost })
    const hasher = new PasswordHasher(PASSWORD_DEFAULT, {}, { accepts: [bcrypt(cost)] })
    const cases = {
      'no account': { password: PASSWORD, hash: null },
      migrated: { password: 'wrong', hash: await hasher.hash(PASSWORD) },
      'not yet migrated': { password: 'wrong', hash: await old.hash(PASSWORD) },
    }

    const spread = report(t, await medians(hasher, cases))

    assert.ok(spread < TOLERATED, `${spread}`)
  })
})
