/** Setting up and removing authenticators, in the steps of the pages. @module */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { Secret } from 'sallyport'
import { type Browser, type Page, type Person, type PersonOptions, World } from '../support.ts'
import { confirm } from './step-up-steps.ts'

/** The overview. */
export const SECURITY = '/account/security'
/** The page that adds an authenticator. */
export const ADD = '/account/security/add'

/** Somebody signed in, with an unused code. */
export interface Owner {
  readonly world: World
  readonly person: Person
  readonly browser: Browser
}

/** @returns Somebody who has just signed in. */
export async function signedIn(
  test: TestContext,
  options: PersonOptions = { factor: 'enabled' },
): Promise<Owner> {
  const world = await World.create(test)
  const person = await world.person('ada', options)
  const browser = world.browser()
  await browser.signIn(person)
  world.clock.advance(30)
  return { world, person, browser }
}

/** @returns The same person with this secret. */
export function withSecretOf(person: Person, page: Page): Person {
  const key = /<code class="secret"[^>]*>([A-Z2-7 ]+)<\/code>/.exec(page.html)?.[1]?.replaceAll(' ', '')
  assert.ok(key !== undefined, 'the page shows a key')
  return { ...person, secret: new Secret(key) }
}

/** Adds an authenticator. @returns The account with the secret of the new authenticator, and what came back. */
export async function addFactor(
  { world, browser, person }: Owner,
  label: string,
): Promise<{ readonly added: Person; readonly page: Page }> {
  const shown = await confirm(world, browser, { person, path: ADD })
  const added = withSecretOf(person, shown)
  const page = await browser.submit(ADD, { label, code: await world.code(added) })
  return { added, page }
}

/** @returns Their identifiers, the oldest first. */
export async function factorIds(world: World, person: Person): Promise<readonly string[]> {
  return (await world.identity.factors.list(person.id)).map(({ id }) => id)
}

/** @returns Path of that page for the first authenticator of the account. */
export async function pathOf({ world, person }: Owner, what: string): Promise<string> {
  const [id] = await factorIds(world, person)
  assert.ok(id !== undefined)
  return `${SECURITY}/factors/${id}/${what}`
}
