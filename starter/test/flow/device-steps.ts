/** Trusting a browser, in the steps of the pages. @module */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Browser, type Page, PASSWORD, type Person, World, type WorldOptions } from '../support.ts'

/** Cookie of a trusted browser. */
export const COOKIE = '__Host-device'
/** For how many days a browser is trusted in these tests. */
export const DAYS = 30
/** The same in seconds. */
export const LIFE_SECONDS: number = DAYS * 24 * 60 * 60
/** The second door. */
export const DOOR = '/login/2fa'
/** The page with the list. */
export const SECURITY = '/account/security'
/** What it says of itself. */
export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Somebody with a browser that is trusted and signed out. */
export interface Trusting {
  readonly world: World
  readonly ada: Person
  readonly browser: Browser
}

/**
 * @param world The application.
 * @param person Whose account.
 * @param browser The browser, which nobody is signed in with. It is signed in afterwards.
 */
export async function trust(world: World, person: Person, browser: Browser): Promise<void> {
  world.clock.advance(30)
  assert.equal((await browser.password(person)).location, DOOR)
  await browser.open(DOOR)
  const page = await browser.submit(DOOR, { code: await world.code(person), trust: '1' })
  assert.equal(page.location, '/account')
  assert.notEqual(browser.client.cookie(COOKIE), undefined)
}

/**
 * @param browser A signed-in browser.
 */
export async function leave(browser: Browser): Promise<void> {
  await browser.open('/account')
  assert.equal((await browser.submit('/logout')).location, '/login')
}

/**
 * @param test The test.
 * @param options What is special about the starter. Default: nothing but trusted browsers.
 * @returns An account with an authenticator, and a browser that it trusts.
 */
export async function trusting(test: TestContext, options: WorldOptions = {}): Promise<Trusting> {
  const world = await World.create(test, { trustedDeviceDays: DAYS, ...options })
  const ada = await world.person('ada', { factor: 'enabled' })
  const browser = world.browser({ clientAddress: '192.0.2.7', userAgent: FIREFOX })
  await trust(world, ada, browser)
  await leave(browser)
  return { world, ada, browser }
}

/**
 * @param browser A browser.
 * @param person Who signs in.
 * @param password Default: that of the tests.
 * @returns Where the password leads.
 */
export async function enter(
  browser: Browser,
  person: Person,
  password: string = PASSWORD,
): Promise<Page['location']> {
  return (await browser.password(person, password)).location
}

/**
 * @param world The application.
 * @returns The rows of the trusted browsers.
 */
export function rows(
  world: World,
): Promise<readonly { readonly id: string; readonly account_id: string; readonly digest: string }[]> {
  return world.database.selectFrom('trusted_device').selectAll().execute()
}

/**
 * @param world The application.
 * @param subject Subject of a mail.
 * @returns How many of them were sent.
 */
export function mailsOf(world: World, subject: RegExp): number {
  return world.mailbox.list().filter((mail) => subject.test(mail.subject)).length
}
