/** Links of mails, whose forms do something once: what a part says of its own, and what follows from it. @module */
import assert from 'node:assert/strict'
import { RESET_SECONDS } from '../core/reset/password-reset.ts'
import { CONFIRMATION_SECONDS } from '../core/sign-up/sign-up.ts'
import { assertSignsIn, type Deed, named } from './crash/deed.ts'
import { linkIn } from './flow/steps.ts'
import { type Browser, PASSWORD, type Person, type World } from './support.ts'

/** A link, and what it does. */
export interface MailLink {
  /** Clauses of it, in brackets. */
  readonly clauses: string
  /** Its path, up to the token. */
  readonly start: string
  /** What its form does, for `WAYS-IN.md`. Default: it is a way in, and told there. */
  readonly does?: string
  /** Brings it about that somebody gets it, who has the browser. @returns Who that is before its use, and its path if no mail has it. */
  readonly make: (world: World, browser: Browser) => Promise<Person & { readonly path?: string }>
  /** Whether it works in that browser only. Default: in every one. */
  readonly isBound?: true
  /** What is recorded when it is used. */
  readonly event: string
  /** The table that knows it. */
  readonly table: string
  /** Status of the answer to its form. Default: it redirects. */
  readonly status?: 200
  /** For how long it works. Default: as long as there is something that it ends. */
  readonly seconds?: number
  /** What its form asks for. Default: nothing. */
  readonly fields?: Readonly<Record<string, string>>
  /** Whether no mail tells of its use. Default: one does. */
  readonly isSilent?: true
  /** Whether it opens something, and so lives no longer when the clock is set back. Default: it protects. */
  readonly opens?: true
  /** What ends it with a change: the credentials of its account, or only whether this may sign in. Default: neither. */
  readonly endsWith?: 'credentials' | 'account'
  /** Whether it ends every session and pending login of the account, as `other` of its deed. */
  readonly endsSessions?: true
  /** What the session of that browser may do afterwards. Default: as much as before. Empty: it goes on while the others end. */
  readonly gains?: readonly string[]
  /** Asserts what it has done. Default: its owner signs in as before. */
  readonly assertDone?: (world: World, person: Person) => Promise<unknown>
}

const NEW = 'a quiet orchard in the rain'

/** Those of the core. */
export const CORE_LINKS: Readonly<Record<string, MailLink>> = {
  'the link of a sign-up': {
    clauses: '[RA-0103 RA-2502]',
    start: '/sign-up/confirm/',
    async make(_world, browser) {
      const email = 'ada@example.test'
      await browser.send('/sign-up', { email })
      return { id: '', email, secret: undefined }
    },
    fields: { name: 'ada', password: PASSWORD },
    isSilent: true,
    event: 'account-created',
    table: 'confirmation',
    seconds: CONFIRMATION_SECONDS,
    opens: true,
  },
  'the link for a new password': {
    clauses: '[RA-1602 RA-2502]',
    start: '/forgot/',
    async make(world, browser) {
      const ada = await world.person('ada', { factor: 'enabled' })
      await browser.send('/forgot', { email: ada.email })
      return ada
    },
    fields: { password: NEW },
    event: 'password-reset',
    table: 'password_reset',
    seconds: RESET_SECONDS,
    opens: true,
    endsWith: 'credentials',
    endsSessions: true,
    async assertDone(world, person) {
      assert.equal((await world.browser().password(person)).status, 422)
      await assertSignsIn(world, person, NEW)
    },
  },
}

/** A link that somebody got. */
export interface MadeLink {
  readonly person: Person
  /** Of that person. */
  readonly browser: Browser
  readonly path: string
  /** @returns Another browser in which it works. */
  readonly another: () => Browser
  /** Whether it opens its page; that uses nothing up. */
  readonly isOpen: () => Promise<boolean>
}

/** @returns The link, in a mail that was sent. */
export async function madeIn(world: World, { start, make, isBound }: MailLink): Promise<MadeLink> {
  const browser = world.browser()
  const person = await make(world, browser)
  const another = (): Browser => (isBound ? browser.twin() : world.browser())
  const path = person.path ?? linkIn(world, start)
  const isOpen = async (): Promise<boolean> => {
    const { status } = await another().open(path)
    assert.ok(status === 200 || status === 410, String(status))
    return status === 200
  }
  return { person, browser, path, another, isOpen }
}

// Longer than a factor is locked.
const HOUR = 60 * 60

/** Asserts what such a link has done. */
export async function assertDone(world: World, person: Person, link: MailLink): Promise<void> {
  world.clock.advance(HOUR)
  await (link.assertDone ?? assertSignsIn)(world, person)
}

/** @returns The use of the link, during which a process may die. */
export function deedOf([name, link]: readonly [string, MailLink]): Deed {
  return {
    name,
    ...(link.isSilent && { isSilent: true }),
    async prepare(world) {
      const { person, path, another } = await madeIn(world, link)
      const [browser, other] = [another(), world.browser()]
      world.clock.advance(30)
      if (link.endsSessions) await other.signIn(person)
      await browser.open(path)
      return { browser, facts: { ...named(person), other: other.sessionId ?? '', path } }
    },
    act: (browser, { path = '' }) => browser.submit(path, link.fields),
    async resume({ world, browser, person, facts: { path = '' }, isDone }) {
      assert.equal((await browser.open(path)).status, isDone ? 410 : 200)
      if (!isDone) assert.equal((await browser.submit(path, link.fields)).status, link.status ?? 303)
      assert.equal((await world.browser().open(path)).status, 410)
      assert.equal(await browser.isSignedIn(), false)
      await assertDone(world, person, link)
    },
  }
}
