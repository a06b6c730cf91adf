/** What people do with passkeys, for the tests of flows. @module */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type ResponseOptions, SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { codesOf } from '../../../test/flow/steps.ts'
import { type Browser, type Page, type Person, World } from '../../../test/support.ts'

/** Where passkeys are added. */
export const NEW_PASSKEY = '/account/passkeys/new'
/** Where one is registered that a rule asks for. */
export const ENROLL = '/passkey/enroll'
/** The second door for passkeys. */
export const PASSKEY_DOOR = '/passkey/second-step'
/** The passkey as the whole login. */
export const PASSKEY_SIGN_IN = '/passkey'

/** @returns The authenticator. */
export async function addPasskey(
  browser: Browser,
  label: string,
  key: SoftwareAuthenticator = new SoftwareAuthenticator(),
): Promise<SoftwareAuthenticator> {
  const page = await browser.open(NEW_PASSKEY)
  assert.equal(page.status, 200, `${page.status} ${page.location}`)
  const added = await browser.submit(NEW_PASSKEY, { label, response: key.register(page.html) })
  // The first factor of an account comes with recovery codes.
  if (added.status !== 303) assert.equal(codesOf(added).length, 10, added.html)
  return key
}

/** @returns A new passkey of the account. */
export async function withPasskey(
  world: World,
  person: Person,
  label = 'Key',
): Promise<SoftwareAuthenticator> {
  const browser = world.browser()
  await browser.signIn(person)
  return addPasskey(browser, label)
}

/** @returns A browser at the second door, and the page that asks for a passkey. */
export async function atPasskeyDoor(
  world: World,
  person: Person,
): Promise<{ readonly browser: Browser; readonly page: Page }> {
  const browser = world.browser()
  await browser.password(person)
  return { browser, page: await browser.open(PASSKEY_DOOR) }
}

/** Signs in with a passkey alone. */
export async function passkeySignIn(
  browser: Browser,
  key: SoftwareAuthenticator,
  options: ResponseOptions = {},
): Promise<Page> {
  const page = await browser.open('/login')
  return browser.submit(PASSKEY_SIGN_IN, { response: key.respond(page.html, options) })
}

/** An account whose only factor is a passkey. */
export interface KeyOwner {
  readonly world: World
  readonly ada: Person
  readonly key: SoftwareAuthenticator
}

/** @returns Such an account. `factor`: whether it has an app, too. */
export async function keyOwner(test: TestContext, factor: 'none' | 'enabled' = 'none'): Promise<KeyOwner> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor })
  return { world, ada, key: await withPasskey(world, ada) }
}
