import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Browser, type Person, World } from '../../../starter/test/support.ts'

const PAIRS = 60
const ROUNDS = 4
const TOLERATED = 0.1

/** A form that must not tell by its time whether its address has an account. */
interface Asking {
  readonly path: string
  /** Other fields than `email`. Default: none. */
  readonly fields?: Readonly<Record<string, string>>
  /** What is special about the accounts. Default: nothing. */
  prepare?(world: World, person: Person): Promise<void>
}

const SIGN_IN: Asking = { path: '/login', fields: { password: 'not the one of any account' } }

describe('the time of an answer', () => {
  const cases: Readonly<Record<string, Asking>> = {
    'a forgotten password [RA-0006 RA-1602]': { path: '/forgot' },
    'a forgotten password, of a disabled account [RA-0006]': {
      path: '/forgot',
      prepare: (world, person) => world.disable(person),
    },
    'signing up [RA-0103]': { path: '/sign-up' },
    'signing in with a wrong password [RA-0006 R-33]': SIGN_IN,
    'signing in, to a disabled account [RA-0006 R-33]': {
      ...SIGN_IN,
      prepare: (world, person) => world.disable(person),
    },
    'signing in, to an account that has no password yet [RA-0006 R-33]': {
      ...SIGN_IN,
      async prepare({ database }, { id }) {
        await database.updateTable('account').set({ password_hash: null }).where('id', '=', id).execute()
      },
    },
  }
  for (const [title, asking] of Object.entries(cases))
    it(`${title}: is the same for an address with an account and for one without, within 10 %`, async (test) => {
      await assertSameTime(test, asking)
    })
})

// The two take turns, so what else the machine does delays one as often as the other; only what lasts is a difference, and it is
// there in each round. Each address is asked for less often than its limit.
async function assertSameTime(test: TestContext, asking: Asking): Promise<void> {
  const world = await World.create(test)
  const known = await Promise.all(Array.from({ length: PAIRS }, (_, index) => world.person(`known-${index}`)))
  for (const person of known) await asking.prepare?.(world, person)
  const medians: number[] = []
  // The first round compiles.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const ratios: number[] = []
    for (const [index, { email }] of known.entries()) {
      // As long as the known ones.
      const unknown = `other-${index}@example.tes${'tuvwx'.charAt(round)}`
      const [one, other] = index % 2 === 0 ? [email, unknown] : [unknown, email]
      const first = await timeOf(world.browser(), asking, one)
      const second = await timeOf(world.browser(), asking, other)
      ratios.push(index % 2 === 0 ? first / second : second / first)
    }
    if (round > 0) medians.push(ratios.toSorted((a, b) => a - b)[PAIRS / 2] ?? 0)
    if (medians.some((ratio) => Math.abs(ratio - 1) < TOLERATED)) break
  }
  test.diagnostic(`medians of the ratios: ${medians.map((ratio) => ratio.toFixed(3)).join(', ')}`)
  assert.ok(
    medians.some((ratio) => Math.abs(ratio - 1) < TOLERATED),
    medians.join(' '),
  )
  assert.deepEqual(world.faults, [])
}

async function timeOf(browser: Browser, { path, fields = {} }: Asking, email: string): Promise<number> {
  await browser.open(path)
  const began = performance.now()
  await browser.submit(path, { email, ...fields })
  return performance.now() - began
}
