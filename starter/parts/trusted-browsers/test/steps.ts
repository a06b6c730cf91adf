/** Trusting a browser, in the steps of the pages. @module */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { DOOR, leave } from '../../../test/flow/steps.ts'
import { type Browser, type Person, World, type WorldOptions } from '../../../test/support.ts'
import type { TrustedBrowserTable } from '../tables.ts'

/** Cookie of a trusted browser. */
export const COOKIE = '__Host-device'
/** For how many days a browser is trusted in these tests. */
export const DAYS = 30
/** The same in seconds. */
export const LIFE_SECONDS: number = DAYS * 24 * 60 * 60
/** Subject of the mail about a token that was used a second time. */
export const COPIED: RegExp = /^Someone may have copied a trusted browser/

/** Somebody with a browser that is trusted and signed out. */
export interface Trusting {
  readonly world: World
  readonly ada: Person
  readonly browser: Browser
}

/**
 * @param world The application.
 * @param person Whose account.
 * @param browser The browser, which nobody is signed in with. It is signed out afterwards.
 */
export async function trust(world: World, person: Person, browser: Browser): Promise<void> {
  world.clock.advance(30)
  assert.equal((await browser.password(person)).location, DOOR)
  const page = await browser.send(DOOR, { code: await world.code(person), trust: '1' })
  assert.equal(page.location, '/account')
  assert.notEqual(browser.client.cookie(COOKIE), undefined)
  await leave(browser)
}

/** @returns An account with an authenticator, and a browser that it trusts. */
export async function trusting(test: TestContext, options: WorldOptions = {}): Promise<Trusting> {
  const world = await World.create(test, { trustedDeviceDays: DAYS, ...options })
  const ada = await world.person('ada', { factor: 'enabled' })
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const browser = world.browser({ clientAddress: '192.0.2.7', userAgent })
  await trust(world, ada, browser)
  return { world, ada, browser }
}

/** @returns The trusted browsers of everybody. */
export function rows(world: World): Promise<readonly TrustedBrowserTable[]> {
  return world.database.selectFrom('trusted_browser').selectAll().orderBy('id').execute()
}

/**
 * @param browser A browser.
 * @param value The cookie that somebody puts into it.
 */
export function plant(browser: Browser, value: string): void {
  browser.client.setCookie(`${COOKIE}=${value}; Path=/; Secure`)
}
