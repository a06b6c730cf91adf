/** Signing up with a passkey, in the steps of the pages. @module */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { codesOf, newestLink } from '../../../test/flow/steps.ts'
import { type Browser, type Page, type Person, World, type WorldOptions } from '../../../test/support.ts'
import { SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'

export const EMAIL = 'grace@example.test'

/** Asks for a link as somebody would in a browser of their own, and gives the path of the page that makes a passkey. */
export async function askForLink(world: World, email: string = EMAIL): Promise<string> {
  const browser = world.browser()
  await browser.send('/sign-up', { email })
  const link = newestLink(world)
  assert.match(link, /^\/sign-up\/confirm\//)
  const { html } = await browser.open(link)
  const offer = /href="(\/passkey-sign-up\/[^"]+)"/.exec(html)?.[1]
  assert.ok(offer !== undefined, 'the page offers a passkey')
  return offer
}

/** Opens the page and creates the account. */
export async function create(
  browser: Browser,
  path: string,
  key: SoftwareAuthenticator = new SoftwareAuthenticator(),
): Promise<Page> {
  const { html } = await browser.open(path)
  return browser.submit(path, { name: 'Grace', response: key.register(html) })
}

/** Somebody whose account has a passkey and no password, signed in with it. */
export interface Passwordless {
  readonly world: World
  readonly grace: Person
  readonly key: SoftwareAuthenticator
  readonly browser: Browser
  readonly codes: readonly string[]
}

export async function passwordless(test: TestContext, options: WorldOptions = {}): Promise<Passwordless> {
  const world = await World.create(test, options)
  const [browser, key] = [world.browser(), new SoftwareAuthenticator()]
  const shown = await create(browser, await askForLink(world), key)
  assert.equal(shown.status, 200, shown.html)
  const done = await browser.submit('/enroll/done')
  assert.deepEqual([done.status, done.location], [303, '/account'])
  const id = key.accountId
  return { world, grace: { id, email: EMAIL, secret: undefined }, key, browser, codes: codesOf(shown) }
}
