import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { PasswordReset } from '../../core/reset/password-reset.ts'
import { SignUp } from '../../core/sign-up/sign-up.ts'
import { AddressChange } from '../../parts/address-change/address-change.ts'
import { Account } from '../../core/accounts/account.ts'
import { Attempts } from '../../core/limits/attempts.ts'
import { Limit } from '../../core/limits/limit.ts'
import * as limits from '../../core/limits/limits.ts'
import { ofParts } from '../facts-of-parts.ts'
import { PASSWORD, type Person, World } from '../support.ts'
import { enroll } from './newcomer.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR
// How far the clock is set back: a correction, a wrong zone, a wrong date.
const STEPS = [10 * 60, HOUR, DAY]
const HERE = { clientAddress: '192.0.2.7', device: '' }

interface Services {
  readonly attempts: Attempts
  readonly resets: PasswordReset
  readonly signUp: SignUp
  readonly addresses: AddressChange
}

/** The services that pages use, on the database of a world. */
function servicesOf({ app }: World): Services {
  return {
    attempts: app.get(Attempts),
    resets: app.get(PasswordReset),
    signUp: app.get(SignUp),
    addresses: app.get(AddressChange),
  }
}

interface Stage {
  readonly world: World
  readonly ada: Person
  readonly services: Services
}

async function stage(test: TestContext): Promise<Stage> {
  const world = await World.create(test, ofParts('settings'))
  return { world, ada: await world.person('ada', { factor: 'enabled' }), services: servicesOf(world) }
}

/** Something that closes, or that opens for a while, and how to try whether it opens. */
interface Kind {
  readonly name: string
  /** Brings it about. What it returns tries to open it. */
  readonly close: (stage: Stage) => Promise<() => Promise<boolean>>
}

const LIMITS: readonly (readonly [string, Limit])[] = Object.entries(limits).flatMap(([name, limit]) =>
  limit instanceof Limit ? [[name, limit] as const] : [],
)

const KINDS: readonly Kind[] = [
  ...LIMITS.map(([name, limit]): Kind => ({
    name,
    close: async ({ services: { attempts } }) => {
      for (let times = 0; times < limit.failures; times += 1) await attempts.count([limit.of('x')])
      return async () => (await attempts.lockedSeconds(limit.of('x'))) === 0
    },
  })),
  {
    name: 'a used code of an authenticator',
    close: async ({ world, ada }) => {
      const code = await world.code(ada)
      await world.browser().signIn(ada)
      return async () => {
        const browser = world.browser()
        await browser.password(ada)
        return (await browser.code(code)).location === '/account'
      }
    },
  },
  {
    name: 'the proofs of a step-up',
    close: async ({ world, ada }) => {
      const browser = world.browser()
      await browser.signIn(ada)
      return async () => (await browser.open('/account/security/add')).status === 200
    },
  },
  {
    name: 'a pending login',
    close: async ({ world, ada }) => {
      const browser = world.browser()
      await browser.password(ada)
      return async () => (await browser.code(await world.code(ada))).location === '/account'
    },
  },
]

// What opens something must not live longer than it may; its end is all that says when it was made.
const LINKS: readonly Kind[] = [
  {
    name: 'the link of a sign-up',
    close: async ({ services: { signUp } }) => {
      const request = await signUp.request('new@example.test', '')
      const token = request.kind === 'confirm' ? request.token : ''
      assert.notEqual(await signUp.confirmable(token), undefined)
      const account = { name: 'New', passwordHash: 'x', language: 'en', ...HERE } as const
      return async () =>
        (await signUp.confirmable(token)) !== undefined ||
        (await signUp.confirm(token, account)) !== undefined
    },
  },
  {
    name: 'the link for a new password',
    close: async ({ ada, services: { resets } }) => {
      const request = await resets.request(ada.email, HERE)
      const token = request.kind === 'reset' ? request.token : ''
      assert.notEqual(await resets.resettable(token), undefined)
      return async () => (await resets.reset(token, { passwordHash: 'x', ...HERE })) !== undefined
    },
  },
  {
    name: 'the link that confirms a new address',
    close: async ({ ada, services: { addresses } }) => {
      const address = { email: 'new@example.test', credentialVersion: 1, ...HERE }
      const request = await addresses.request(
        new Account({ id: ada.id, name: 'Ada', email: ada.email }),
        address,
      )
      const token = request.kind === 'address-confirm' ? request.token : ''
      assert.notEqual(await addresses.confirmable(token), undefined)
      return async () => (await addresses.confirm(token, HERE)) !== undefined
    },
  },
]

// What a browser was given, and keeps.
const GIVEN: readonly Kind[] = [
  {
    name: 'the link that sets up an account',
    close: async ({ world }) => {
      const { accounts } = world.identity.administration
      const by = { kind: 'operator', name: 'olga' } as const
      const grace = { email: 'grace@example.test', name: 'Grace', permissions: [] }
      const { token } = await accounts.add({ by, reason: 'new colleague' }, grace)
      const path = `/set-up/${token}`
      const browser = world.browser()
      assert.equal((await browser.open(path)).status, 200)
      return async () =>
        (await world.browser().open(path)).status === 200 ||
        (await browser.submit(path, { password: PASSWORD })).status === 303
    },
  },
  ...Object.entries(ofParts('doors')).map(([name, { page, prove }]): Kind => ({
    name,
    close: async ({ world, ada }) => {
      const browser = world.browser()
      await browser.password(ada)
      const fields = await prove(browser, world)
      return async () => (await browser.submit(page, fields)).location === '/account'
    },
  })),
  {
    name: 'a used recovery code',
    close: async ({ world }) => {
      const { person, codes } = await enroll(world, world.browser(), 'eve')
      const use = async (): Promise<boolean> => {
        const browser = world.browser()
        await browser.password(person)
        await browser.open('/login/2fa/recovery')
        await browser.submit('/login/2fa/recovery', { code: codes[0] ?? '' })
        return browser.isSignedIn()
      }
      assert.equal(await use(), true)
      return use
    },
  },
]

describe('a clock that is set back', () => {
  for (const back of STEPS)
    for (const { name, close } of [...KINDS, ...LINKS, ...GIVEN])
      it(`by ${back / 60} minutes opens nothing: ${name} [RA-2708]`, async (test) => {
        const present = await stage(test)
        present.world.clock.advance(2 * DAY)
        const isOpened = await close(present)

        present.world.clock.advance(-back)

        assert.equal(await isOpened(), false)
        assert.deepEqual(present.world.faults, [])
      })

  it('by a few seconds, as among machines, ends no link [RA-2708]', async (test) => {
    const { world, ada, services } = await stage(test)
    const request = await services.resets.request(ada.email, HERE)
    world.clock.advance(-30)

    const token = request.kind === 'reset' ? request.token : ''

    assert.notEqual(await services.resets.resettable(token), undefined)
  })
})
