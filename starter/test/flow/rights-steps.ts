/** The steps that let a session do more, up to the form that takes each of them. @module */
import type { TestContext } from 'node:test'
import { demanding } from '../demanding.ts'
import { act, missing, ofParts } from '../facts-of-parts.ts'
import { type Browser, PASSWORD, type Page, type Person, World, type WorldOptions } from '../support.ts'
import { enroll, newestLink, personOf, signUp } from './newcomer.ts'
import { ADD, withSecretOf } from './security-steps.ts'
import { CONFIRM, confirm } from './step-up-steps.ts'

const RECOVERY_WAIT_SECONDS = 72 * 60 * 60

/** Longer than proofs count. */
export const MINUTES: number = 10 * 60

/** A browser that stands before a step, and the form that takes it. */
export interface Step {
  readonly browser: Browser
  /** Sends the form. */
  readonly act: () => Promise<Page>
}

/** What a step gives, and how to get before it. */
export interface Row {
  /** What the session may do afterwards, and did not before. Empty: it goes on while the other sessions of the account end. */
  readonly gains: readonly string[]
  readonly before: (test: TestContext) => Promise<Step>
}

/** An account, and a browser. */
export interface Owner {
  readonly world: World
  readonly person: Person
  readonly browser: Browser
}

/** Somebody with an authenticator, who is not signed in. */
export async function ownerOf(test: TestContext, options: WorldOptions = {}): Promise<Owner> {
  const world = await World.create(test, options)
  const person = await world.person('ada', { factor: 'enabled' })
  return { world, person, browser: world.browser() }
}

/** The same, signed in. */
export async function signedIn(test: TestContext, later = 30): Promise<Owner> {
  const owner = await ownerOf(test)
  await owner.browser.signIn(owner.person)
  owner.world.clock.advance(later)
  return owner
}

/** The form of the login page, filled in. */
export async function signIn({ browser, person }: Owner): Promise<Step> {
  await browser.open('/login')
  const fields = { email: person.email, password: PASSWORD }
  return { browser, act: () => browser.submit('/login', fields) }
}

/** @returns Somebody who must set up a factor, and a browser that knows nobody. */
export async function mustEnroll(test: TestContext): Promise<Owner> {
  const world = await World.create(test, demanding())
  const person = await world.person('ada')
  return { world, person, browser: world.browser() }
}

/** The form of a page, filled in. */
export async function formAt(browser: Browser, path: string, fields = {}): Promise<Step> {
  await browser.open(path)
  return { browser, act: () => browser.submit(path, fields) }
}

async function take(step: Promise<Step>): Promise<Page> {
  return (await step).act()
}

/** Each step after which a session may do more, or goes on while the others end. */
export const STEPS: Readonly<Record<string, Row>> = {
  'the password of an account without a factor': {
    gains: ['signed in'],
    before: async (test) => {
      const world = await World.create(test)
      return signIn({ world, person: await world.person('ada'), browser: world.browser() })
    },
  },
  'the password before a factor': {
    gains: ['password proven'],
    before: async (test) => signIn(await ownerOf(test)),
  },
  'a code at the second door': {
    gains: ['signed in'],
    before: async (test) => {
      const { world, person, browser } = await ownerOf(test)
      await browser.password(person)
      return formAt(browser, '/login/2fa', { code: await world.code(person) })
    },
  },
  'a recovery code': {
    gains: ['signed in'],
    before: async (test) => {
      const world = await World.create(test)
      const { person, codes } = await enroll(world, world.browser(), 'ada')
      const browser = world.browser()
      await browser.password(person)
      return formAt(browser, '/login/2fa/recovery', { code: codes[0] })
    },
  },
  ...Object.fromEntries(
    Object.entries(ofParts('doors')).map(([name, { page, prove }]) => [
      name,
      {
        gains: ['signed in'],
        before: async (test: TestContext): Promise<Step> => {
          const { world, person, browser } = await ownerOf(test, ofParts('settings'))
          await browser.password(person)
          const fields = await prove(browser, world)
          return { browser, act: () => browser.submit(page, fields) }
        },
      },
    ]),
  ),
  'the end of signing up': {
    gains: ['sets up a factor', 'needs no link'],
    before: async (test) => {
      const world = await World.create(test)
      const browser = world.browser()
      await take(formAt(browser, '/sign-up', { email: 'ada@example.test' }))
      return formAt(browser, newestLink(world), { name: 'Ada', password: PASSWORD })
    },
  },
  ...(missing('administration')
    ? {}
    : {
        'the first password of an account that was added': {
          gains: ['sets up a factor', 'needs no link'],
          before: async (test) => {
            const world = await World.create(test, demanding())
            const owner = { email: 'ada@example.test', name: 'Ada' }
            const path = await act('addAccount')(world, owner)
            return formAt(world.browser(), path, { password: PASSWORD })
          },
        },
      }),
  'the password of an account that must set up a factor': {
    gains: ['sets up a factor'],
    before: async (test) => signIn(await mustEnroll(test)),
  },
  'the link in the same browser': {
    gains: ['needs no link'],
    before: async (test) => {
      const { world, person, browser } = await mustEnroll(test)
      await browser.password(person)
      return formAt(browser, newestLink(world))
    },
  },
  'the first code of a new authenticator': {
    gains: ['new factor proven'],
    before: async (test) => {
      const world = await World.create(test)
      const browser = world.browser()
      const person = await personOf(world, 'ada', await signUp(world, browser, 'ada'))
      return formAt(browser, '/enroll', { code: await world.code(person) })
    },
  },
  'the end of an enrollment': {
    gains: ['signed in'],
    before: async (test) => {
      const world = await World.create(test)
      const browser = world.browser()
      await enroll(world, browser, 'ada')
      await browser.open('/enroll')
      return { browser, act: () => browser.submit('/enroll/done') }
    },
  },
  ...(missing('lost-factor')
    ? {}
    : {
        'the end of the waiting time of a recovery': {
          gains: ['sets up a factor'],
          before: async (test) => {
            const { world, person, browser } = await ownerOf(test)
            await browser.password(person)
            await take(formAt(browser, '/lost'))
            await take(formAt(world.browser(), newestLink(world)))
            world.clock.advance(RECOVERY_WAIT_SECONDS)
            await browser.password(person)
            await browser.open('/lost')
            return { browser, act: () => browser.submit('/lost/continue') }
          },
        },
      }),
  'password and code for a protected action': {
    gains: ['confirmed the password', 'confirmed a factor'],
    before: async (test) => {
      const { world, person, browser } = await signedIn(test, MINUTES)
      await browser.open('/account/password', { follow: true })
      const fields = { return_url: '/account/password', password: PASSWORD, code: await world.code(person) }
      return { browser, act: () => browser.submit(CONFIRM, fields) }
    },
  },
  'a further authenticator': {
    gains: [],
    before: async (test) => {
      const { world, person, browser } = await signedIn(test)
      const added = withSecretOf(person, await confirm(world, browser, { person, path: ADD }))
      const fields = { label: 'Phone', code: await world.code(added) }
      return { browser, act: () => browser.submit(ADD, fields) }
    },
  },
  'another password': {
    gains: [],
    before: async (test) => {
      const { browser } = await signedIn(test)
      return formAt(browser, '/account/password', { password: 'another gate of two doors' })
    },
  },
  ...(missing('address-change')
    ? {}
    : {
        'another address': {
          gains: [],
          before: async (test) => {
            const { world, browser } = await signedIn(test)
            await take(formAt(browser, '/account/address', { email: 'new@example.test' }))
            const mail = world.mailbox.list().find(({ to }) => to === 'new@example.test')
            return formAt(browser, /app\.test(\/address\/\S+)/.exec(mail?.text ?? '')?.[1] ?? '')
          },
        },
      }),
}
