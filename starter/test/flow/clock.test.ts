import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Attempts } from 'sallyport-app/limits'
import { FACTOR_LIMIT } from '../../core/limits/limits.ts'
import { PasswordReset, RESETS } from '../../core/reset/password-reset.ts'
import { CONFIRMATIONS, SignUp } from '../../core/sign-up/sign-up.ts'
import { type Opening, ofParts } from '../facts-of-parts.ts'
import { type Person, World } from '../support.ts'
import { atDoor, enroll, RECOVERY } from './steps.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR
// How far the clock is set back: a correction, a wrong zone, a wrong date.
const STEPS = [10 * 60, HOUR, DAY]
const HERE = { clientAddress: '192.0.2.7', device: '' }

interface Stage {
  readonly world: World
  readonly ada: Person
}

async function stage(test: TestContext): Promise<Stage> {
  const world = await World.create(test, ofParts('settings'))
  return { world, ada: await world.person('ada', { factor: 'enabled' }) }
}

/** Brings about what closes, or opens for a while. What it returns tries to open it. */
type Close = (stage: Stage) => Promise<() => Promise<boolean>>

const CLOSED: Readonly<Record<string, Close>> = {
  'a lock of codes': ({ world }) => locked(world),
  async 'a used code of an authenticator'({ world, ada }) {
    const code = await world.code(ada)
    await world.browser().signIn(ada)
    return async () => {
      const browser = world.browser()
      await browser.password(ada)
      return (await browser.code(code)).location === '/account'
    }
  },
  async 'the proofs of a step-up'({ world, ada }) {
    const browser = world.browser()
    await browser.signIn(ada)
    return async () => (await browser.open('/account/security/add')).status === 200
  },
  async 'a pending login'({ world, ada }) {
    const browser = world.browser()
    await browser.password(ada)
    return async () => (await browser.code(await world.code(ada))).location === '/account'
  },
  async 'a used recovery code'({ world }) {
    const { person, codes } = await enroll(world, world.browser(), 'eve')
    const use = async (): Promise<boolean> => {
      const browser = await atDoor(world, person, RECOVERY)
      await browser.submit(RECOVERY, { code: codes[0] ?? '' })
      return browser.isSignedIn()
    }
    assert.equal(await use(), true)
    return use
  },
  ...Object.fromEntries(
    Object.entries(ofParts('doors')).map(([name, { page, prove }]): [string, Close] => [
      name,
      async ({ world, ada }) => {
        const browser = world.browser()
        await browser.password(ada)
        const fields = await prove(browser, world)
        return async () => (await browser.submit(page, fields)).location === '/account'
      },
    ]),
  ),
}

async function locked(world: World): Promise<() => Promise<boolean>> {
  const [attempts, limited] = [world.app.get(Attempts), FACTOR_LIMIT.of('x')]
  for (let times = 0; times < FACTOR_LIMIT.failures; times += 1) await attempts.count([limited])
  return async () => (await attempts.lockedSeconds(limited)) === 0
}

// What opens something must not live longer than it may; its end is all that says when it was made.
const LINKS: Readonly<Record<string, (stage: Stage) => Promise<Opening>>> = {
  async 'the link of a sign-up'({ world }) {
    const signUp = world.app.get(SignUp)
    const address = { email: 'new@example.test', email_key: 'new@example.test' }
    const token = await world.database
      .transaction()
      .execute((transaction) => CONFIRMATIONS.make(transaction, address, world.clock.timestamp()))
    const account = { name: 'New', passwordHash: 'x', language: 'en', ...HERE } as const
    return {
      lifetimeSeconds: HOUR,
      isOpen: async () => (await signUp.confirmable(token)) !== undefined,
      use: async () => (await signUp.confirm(token, account)) !== undefined,
    }
  },
  async 'the link for a new password'({ world, ada }) {
    const resets = world.app.get(PasswordReset)
    const row = { account_id: ada.id, credential_version: 1 }
    const token = await world.database
      .transaction()
      .execute((transaction) => RESETS.make(transaction, row, world.clock.timestamp()))
    return {
      lifetimeSeconds: HOUR / 2,
      isOpen: async () => (await resets.resettable(token)) !== undefined,
      use: async () => (await resets.reset(token, { passwordHash: 'x', ...HERE })) !== undefined,
    }
  },
  ...Object.fromEntries(
    Object.entries(ofParts('openings')).map(([name, open]) => [
      name,
      ({ world, ada }: Stage) => open(world, ada),
    ]),
  ),
}

describe('a clock that is set back', () => {
  for (const [name, close] of Object.entries(CLOSED))
    it(`opens nothing: ${name} [RA-2708]`, async (test) => {
      for (const back of STEPS) {
        const present = await stage(test)
        present.world.clock.advance(2 * DAY)
        const isOpened = await close(present)

        present.world.clock.advance(-back)

        assert.equal(await isOpened(), false, `${back} seconds`)
        assert.deepEqual(present.world.faults, [])
      }
    })

  for (const [name, make] of Object.entries(LINKS)) {
    it(`ends what would live longer than it may: ${name} [RA-2708]`, async (test) => {
      for (const back of STEPS) {
        const present = await stage(test)
        present.world.clock.advance(2 * DAY)
        const { isOpen, use } = await make(present)
        assert.equal(await isOpen(), true)

        present.world.clock.advance(-back)

        assert.equal(await isOpen(), false, `${back} seconds`)
        assert.notEqual(await use?.(), true, `${back} seconds`)
      }
    })

    it(`opens nothing again that was found expired: ${name} [RA-2708]`, async (test) => {
      const present = await stage(test)
      present.world.clock.advance(2 * DAY)
      const { lifetimeSeconds, isOpen } = await make(present)
      assert.equal(await isOpen(), true)
      present.world.clock.advance(lifetimeSeconds)
      assert.equal(await isOpen(), false)

      present.world.clock.advance(-lifetimeSeconds)

      assert.equal(await isOpen(), false)
    })
  }

  it('by a few seconds, as among machines, ends no link [RA-2708]', async (test) => {
    const present = await stage(test)
    const { isOpen } = (await LINKS['the link for a new password']?.(present)) ?? {}

    present.world.clock.advance(-30)

    assert.equal(await isOpen?.(), true)
  })
})
