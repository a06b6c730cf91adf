/** Requests during which the process dies, and what must hold after the restart. @module */
import assert from 'node:assert/strict'
import { Secret } from 'sallyport'
import type { Browser, Page, Person, World } from '../support.ts'

/** What the person and the browser know, as text: it survives the process. */
export type Facts = Readonly<Record<string, string>>

/** A browser about to send the request. */
export interface Ready {
  readonly browser: Browser
  readonly facts: Facts
}

/** After the restart. */
export interface Survivor {
  readonly world: World
  /** With the cookies from before the request: its response never came. */
  readonly browser: Browser
  readonly person: Person
  readonly facts: Facts
  /** Whether the request was done before the process died. */
  readonly isDone: boolean
}

/** Who signs in. */
export interface Owner extends Person {
  /** Default: that of the tests. */
  readonly password?: string
}

/** A request that changes something once. */
export interface Deed {
  /** What it is. */
  readonly name: string
  /** Whether it signs the browser in; otherwise the browser was signed in before, or never is. */
  readonly signsIn?: true
  /** Whether no mail tells of it. Default: one does. */
  readonly isSilent?: true
  /** Whether each of several tabs that send it at once does it, or is recorded as refused. Default: one does it, and nothing else happens. */
  readonly isRepeated?: true
  /**
   * Brings a browser to the page of the request. Its facts are those of `named()` and what else `act` needs. Some say more: `code` is
   * used up with the request, at the `door` where that is not the second one; `other` and `pending` are cookies of further browsers,
   * in which the account is signed in or waits for a code: they end with the request.
   */
  prepare(world: World): Promise<Ready>
  /** Sends the request, or runs what no request does: then nothing comes back. */
  act(browser: Browser, facts: Facts, world: World): Promise<Page | undefined>
  /** Who signs in with what once it is done; nobody where no account is left. Default: as before. */
  readonly leaves?: (person: Person, facts: Facts) => Owner | undefined
  /** Asserts what holds after the restart, in place of what holds after every request that is sent again as it was. */
  resume?(survivor: Survivor): Promise<void>
}

/** A request of which nothing else matters. */
export type Request = Pick<Deed, 'name' | 'prepare' | 'act'>

/** A request of which a mail tells: nothing else of it matters. */
export type Telling = Pick<Deed, 'name' | 'isSilent' | 'prepare' | 'act'>

/** @returns The facts of an account. */
export function named({ id, email, secret }: Person): Facts {
  return { id, email, secret: secret?.reveal() ?? '' }
}

/** @returns The account. */
export function personOf({ id = '', email = '', secret = '' }: Facts): Person {
  return { id, email, secret: secret === '' ? undefined : new Secret(secret) }
}

/** @returns The same with the authenticator that was added. */
export function withAdded(person: Person, { added = '' }: Facts): Person {
  return { ...person, secret: new Secret(added) }
}

/** @returns A browser that holds it. */
export function browserWith(world: World, cookie: string): Browser {
  const browser = world.browser()
  if (cookie !== '') browser.client.setCookie(`__Host-sid=${cookie}; Path=/; Secure`)
  return browser
}

export function assertLeadsTo(page: Page, location: string): void {
  assert.deepEqual([page.status, page.location], [303, location])
}

/** Asserts that the account can be used: with the password and a code that nobody used. */
export async function assertSignsIn(world: World, person: Person, password?: string): Promise<Browser> {
  world.clock.advance(30)
  const browser = world.browser()
  const first = await browser.password(person, password)
  // Whoever may not do without a second factor is led to a new one.
  if (person.secret === undefined) assert.match(first.location ?? '', /^\/(?:account|enroll)$/)
  else assertLeadsTo(await browser.code(await world.code(person)), '/account')
  world.clock.advance(30)
  return browser
}

/** Somebody who is signed in with two browsers. */
interface TwoBrowsers {
  readonly browser: Browser
  readonly person: Person
  readonly other: Browser
}

/** @returns Somebody who signed in with two browsers, and has an unused code. */
export async function signedInOwner(world: World): Promise<TwoBrowsers> {
  const person = await world.person('ada', { factor: 'enabled' })
  const [other, browser] = [world.browser(), world.browser()]
  for (const each of [other, browser]) {
    assertLeadsTo(await each.signIn(person), '/account')
    world.clock.advance(30)
  }
  return { browser, person, other }
}

/** The facts of somebody who is signed in, and more. */
export function factsOf({ person, other }: TwoBrowsers, more: Facts = {}): Facts {
  return { ...named(person), other: other.sessionId ?? '', ...more }
}
