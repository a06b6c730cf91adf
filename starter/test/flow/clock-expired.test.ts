import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Account } from '../../core/accounts/account.ts'
import { AddressChange } from '../../parts/address-change/address-change.ts'
import { SignUp } from '../../core/sign-up/sign-up.ts'
import { RESET_REQUEST_SECONDS } from '../../parts/administration/factor-resets.ts'
import { SET_UP_SECONDS } from '../../parts/administration/new-accounts.ts'
import { Attempts } from '../../core/limits/attempts.ts'
import { FACTOR_LIMIT } from '../../core/limits/limits.ts'
import { PasswordReset } from '../../core/reset/password-reset.ts'
import { type Person, World } from '../support.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR
const HERE = { clientAddress: '192.0.2.7', device: '' }

interface Stage {
  readonly world: World
  readonly ada: Person
  readonly attempts: Attempts
  readonly resets: PasswordReset
  readonly signUp: SignUp
  readonly addresses: AddressChange
}

async function stage(test: TestContext): Promise<Stage> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor: 'enabled' })
  const { app } = world
  return {
    world,
    ada,
    attempts: app.get(Attempts),
    resets: app.get(PasswordReset),
    signUp: app.get(SignUp),
    addresses: app.get(AddressChange),
  }
}

// What is asked whether it opens, and uses nothing up.
const FOUND_EXPIRED: readonly {
  readonly name: string
  readonly tries: (
    stage: Stage,
  ) => Promise<{ readonly lifetimeSeconds: number; readonly isOpen: () => Promise<boolean> }>
}[] = [
  {
    name: 'the link of a sign-up',
    tries: async ({ signUp }) => {
      const request = await signUp.request('new@example.test', '')
      const token = request.kind === 'confirm' ? request.token : ''
      const isOpen = async (): Promise<boolean> => (await signUp.confirmable(token)) !== undefined
      return { lifetimeSeconds: HOUR, isOpen }
    },
  },
  {
    name: 'the link for a new password',
    tries: async ({ ada, resets }) => {
      const request = await resets.request(ada.email, HERE)
      const token = request.kind === 'reset' ? request.token : ''
      const isOpen = async (): Promise<boolean> => (await resets.resettable(token)) !== undefined
      return { lifetimeSeconds: HOUR / 2, isOpen }
    },
  },
  {
    name: 'the link that confirms a new address',
    tries: async ({ ada, addresses }) => {
      const account = new Account({ id: ada.id, name: 'Ada', email: ada.email })
      const address = { email: 'new@example.test', credentialVersion: 1, ...HERE }
      const request = await addresses.request(account, address)
      const token = request.kind === 'address-confirm' ? request.token : ''
      const isOpen = async (): Promise<boolean> => (await addresses.confirmable(token)) !== undefined
      return { lifetimeSeconds: HOUR, isOpen }
    },
  },
  {
    name: 'the link that sets up an account',
    tries: async ({ world }) => {
      const { accounts } = world.identity.administration
      const by = { kind: 'operator', name: 'olga' } as const
      const grace = { email: 'grace@example.test', name: 'Grace', permissions: [] }
      const { token } = await accounts.add({ by, reason: 'new colleague' }, grace)
      const isOpen = async (): Promise<boolean> => (await accounts.find(token)) !== undefined
      return { lifetimeSeconds: SET_UP_SECONDS, isOpen }
    },
  },
  {
    name: 'a request for a reset that waits for a second person',
    tries: async ({ world, ada }) => {
      const { resets } = world.identity.administration
      await world.database
        .insertInto('factor_reset')
        .values({
          id: 'request',
          account_id: ada.id,
          state: 'requested',
          reason: 'lost',
          requested_by: 'operator:olga',
          requested_at: world.clock.timestamp(),
          expires_at: world.clock.timestamp() + RESET_REQUEST_SECONDS,
          decided_by: null,
          decided_at: null,
        })
        .execute()
      const isOpen = async (): Promise<boolean> => (await resets.find('request')) !== undefined
      return { lifetimeSeconds: RESET_REQUEST_SECONDS, isOpen }
    },
  },
]

describe('a clock that is set back after something has expired', () => {
  for (const { name, tries } of FOUND_EXPIRED)
    it(`opens nothing again that was found expired: ${name} [RA-2708]`, async (test) => {
      const present = await stage(test)
      present.world.clock.advance(2 * DAY)
      const { lifetimeSeconds, isOpen } = await tries(present)
      assert.equal(await isOpen(), true)
      present.world.clock.advance(lifetimeSeconds)
      assert.equal(await isOpen(), false)

      present.world.clock.advance(-lifetimeSeconds)

      assert.equal(await isOpen(), false)
      assert.deepEqual(present.world.faults, [])
    })

  it('dates failures back for good that an attempt finds in the future: their pause ends earlier by as much [RA-2708]', async (test) => {
    const { world, attempts } = await stage(test)
    const limit = FACTOR_LIMIT
    const limited = limit.of('x')
    world.clock.advance(DAY)
    for (let times = 0; times < limit.failures; times += 1) await attempts.count([limited])
    world.clock.advance(-600)
    assert.equal(await attempts.lockedSeconds(limited), limit.windowSeconds)
    world.clock.advance(600)

    assert.equal(await attempts.lockedSeconds(limited), limit.windowSeconds - 600)
  })
})
