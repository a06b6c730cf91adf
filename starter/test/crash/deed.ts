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
   * Brings a browser to the page of the request. `facts` of it: those of `named()`; `other`, if there is one, is the cookie of
   * another browser whose session ends with the change.
   */
  prepare(world: World): Promise<Ready>
  /** Sends the request, or runs what no request does: then nothing comes back. */
  act(browser: Browser, facts: Facts, world: World): Promise<Page | undefined>
  /** Asserts what holds after the restart, and finishes what was begun or begins anew. */
  resume(survivor: Survivor): Promise<void>
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

/** @returns A browser that holds it. */
export function browserWith(world: World, cookie: string): Browser {
  const browser = world.browser()
  if (cookie !== '') browser.client.setCookie(`__Host-sid=${cookie}; Path=/; Secure`)
  return browser
}

export function assertLeadsTo(page: Page, location: string): void {
  assert.deepEqual([page.status, page.location], [303, location])
}

/** Asserts that a code is refused to somebody who knows the password too. */
export async function assertRefused(
  world: World,
  person: Person,
  { code, path = '/login/2fa', password }: { code: string; path?: string; password?: string },
): Promise<void> {
  const thief = world.browser()
  assertLeadsTo(await thief.password(person, password), '/login/2fa')
  assert.equal((await thief.send(path, { code })).status, 422, 'a used code is refused')
  assert.equal(await thief.isSignedIn(), false)
}

/** Asserts that the account can be used: with the password and a code that nobody used. */
export async function assertSignsIn(world: World, person: Person, password?: string): Promise<Browser> {
  world.clock.advance(30)
  const browser = world.browser()
  const first = await browser.password(person, password)
  if (person.secret === undefined) assertLeadsTo(first, '/account')
  else assertLeadsTo(await browser.code(await world.code(person)), '/account')
  world.clock.advance(30)
  return browser
}

/** Asserts that a login which waits for its second step has ended, if the request was done. */
export async function assertPendingEnds(world: World, cookie: string, isDone: boolean): Promise<void> {
  const door = await browserWith(world, cookie).open('/login/2fa')
  assert.equal(door.status, isDone ? 303 : 200, 'a pending login ends with it')
}

/** Somebody who is signed in with two browsers. */
export interface Owner {
  readonly browser: Browser
  readonly person: Person
  readonly other: Browser
}

/** @returns Somebody who signed in with two browsers, and has an unused code. */
export async function signedInOwner(world: World): Promise<Owner> {
  const person = await world.person('ada', { factor: 'enabled' })
  const [other, browser] = [world.browser(), world.browser()]
  for (const each of [other, browser]) {
    assertLeadsTo(await each.signIn(person), '/account')
    world.clock.advance(30)
  }
  return { browser, person, other }
}

/** The facts of somebody who is signed in, and more. */
export function factsOf({ person, other }: Owner, more: Facts = {}): Facts {
  return { ...named(person), other: other.sessionId ?? '', ...more }
}

/** The browser goes on if it can; otherwise its owner signs in again. */
export async function ownerOf(
  { world, browser }: Survivor,
  person: Person,
  password?: string,
): Promise<Browser> {
  if (await browser.isSignedIn()) {
    world.clock.advance(30)
    return browser
  }
  return assertSignsIn(world, person, password)
}
