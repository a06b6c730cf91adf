/** What people do, in the steps of the pages: signing up, in and out, proving again, authenticators. @module */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { Secret } from 'sallyport'
import {
  type Browser,
  type Page,
  PASSWORD,
  type Person,
  type PersonOptions,
  World,
  type WorldOptions,
} from '../support.ts'

/** The second door. */
export const DOOR = '/login/2fa'
/** Its page for recovery codes. */
export const RECOVERY = '/login/2fa/recovery'
/** The page about signing in. */
export const SECURITY = '/account/security'
/** The page that adds an authenticator. */
export const ADD = '/account/security/add'
/** The page that asks for proofs again. */
export const CONFIRM = '/account/confirm'

/** Somebody with a browser. */
export interface Owner {
  readonly world: World
  readonly person: Person
  readonly browser: Browser
}

/** @returns Path of the link in the newest mail. */
export function newestLink(world: World): string {
  const [mail] = world.mailbox.list()
  return /https:\/\/app\.test(\/\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

/** @returns Path of the link with this beginning, in the newest mail that has one. */
export function linkIn(world: World, beginning: string): string {
  const pattern = new RegExp(`${beginning}[\\w-]{43}`)
  const links = world.mailbox.list().map(({ text }) => pattern.exec(text)?.[0])
  const found = links.find((link) => link !== undefined)
  assert.ok(found !== undefined, `no mail has a link ${beginning}`)
  return found
}

/** @returns The words of each item of the list with this class. */
export function itemsOf({ html }: Pick<Page, 'html'>, list: string): readonly string[] {
  const items = new RegExp(`<ul class="${list}">([^]*?)</ul>`).exec(html)?.[1]?.split('</li>') ?? []
  const words = items.map((item) => item.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '))
  return words.map((text) => text.trim()).filter((text) => text !== '')
}

/** @returns How many mails with such a subject were sent. */
export function mailsOf(world: World, subject: RegExp): number {
  return world.mailbox.list().filter((mail) => subject.test(mail.subject)).length
}

/** Asks for a link, and chooses name and password behind it. @returns The page that sets up the second factor. */
export async function signUp(world: World, browser: Browser, name: string): Promise<Page> {
  await browser.open('/sign-up')
  await browser.submit('/sign-up', { email: `${name}@example.test` })
  const link = newestLink(world)
  await browser.open(link)
  const created = await browser.submit(link, { name, password: PASSWORD })
  assert.deepEqual([created.status, created.location], [303, '/enroll'])
  return browser.open('/enroll')
}

/** @returns The same person with the secret that the page shows. */
export function withSecretOf(person: Person, page: Pick<Page, 'html'>): Person {
  const key = /<code class="secret"[^>]*>([A-Z2-7 ]+)<\/code>/.exec(page.html)?.[1]?.replaceAll(' ', '')
  assert.ok(key !== undefined, 'the page shows a key')
  return { ...person, secret: new Secret(key) }
}

/** @returns The account, with the secret that the page shows. */
export async function personOf(world: World, name: string, page: Page): Promise<Person> {
  const email = `${name}@example.test`
  const account = await world.identity.users.findByEmail(email)
  assert.ok(account !== null)
  return withSecretOf({ id: account.id, email, secret: undefined }, page)
}

/** @returns The recovery codes on the page. */
export function codesOf(page: Pick<Page, 'html'>): readonly string[] {
  return [...page.html.matchAll(/<code>([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})<\/code>/g)].map(
    ([, code = '']) => code,
  )
}

/** Signs up and proves the factor. @returns The account and its recovery codes. */
export async function enroll(
  world: World,
  browser: Browser,
  name: string,
): Promise<{ readonly person: Person; readonly codes: readonly string[] }> {
  const person = await personOf(world, name, await signUp(world, browser, name))
  const shown = await browser.submit('/enroll', { code: await world.code(person) })
  const codes = codesOf(shown)
  assert.equal(codes.length, 10)
  return { person, codes }
}

/** @returns Somebody who is not signed in. Default: with an authenticator. */
export async function ownerOf(
  test: TestContext,
  { factor = 'enabled', permissions = [], ...options }: WorldOptions & PersonOptions = {},
): Promise<Owner> {
  const world = await World.create(test, options)
  const person = await world.person('ada', { factor, permissions })
  return { world, person, browser: world.browser() }
}

/** @returns Somebody at the end of signing up, with an authenticator and recovery codes. */
export async function enrolled(test: TestContext): Promise<Owner & { readonly codes: readonly string[] }> {
  const world = await World.create(test)
  const browser = world.browser()
  return { world, browser, ...(await enroll(world, browser, 'eve')) }
}

/** @returns Somebody who has just signed in, with an unused code. */
export async function signedIn(
  test: TestContext,
  options: PersonOptions = { factor: 'enabled' },
  settings: WorldOptions = {},
): Promise<Owner> {
  const owner = await ownerOf(test, { factor: 'none', ...options, ...settings })
  await owner.browser.signIn(owner.person)
  owner.world.clock.advance(30)
  return owner
}

/** @returns A browser in which the password was proven, at a page of the second door. */
export async function atDoor(
  world: World,
  person: Person,
  path: string = DOOR,
  password: string = PASSWORD,
): Promise<Browser> {
  const browser = world.browser()
  await browser.password(person, password)
  await browser.open(path)
  return browser
}

/** @returns Where the password leads. */
export async function enter(
  browser: Browser,
  person: Person,
  password: string = PASSWORD,
): Promise<Page['location']> {
  return (await browser.password(person, password)).location
}

/** @param browser A signed-in browser. */
export async function leave(browser: Browser): Promise<void> {
  await browser.open('/account')
  assert.equal((await browser.submit('/logout')).location, '/login')
}

/** Opens a page that needs a step-up, and proves what is asked for. @returns The page of the action. */
export async function confirm(
  world: World,
  browser: Browser,
  { person, path }: { readonly person: Person; readonly path: string },
): Promise<Page> {
  const asked = await browser.open(path)
  if (asked.status === 200) return asked
  const shown = await browser.open(asked.location ?? '')
  const page = await browser.submit(CONFIRM, {
    return_url: path,
    ...(shown.html.includes('name="password"') && { password: PASSWORD }),
    ...(shown.html.includes('name="code"') && { code: await world.code(person) }),
  })
  assert.deepEqual([page.status, page.location], [303, path])
  return browser.open(path)
}

/** @returns What the copies of a confirmation that is shown have in common. */
export function formIdOf({ html }: Pick<Page, 'html'>): { readonly form_id: string } {
  return { form_id: /name="form_id" value="([^"]+)"/.exec(html)?.[1] ?? '' }
}

/** Adds an authenticator. @returns The account with the secret of the new authenticator, and what came back. */
export async function addFactor(
  { world, browser, person }: Owner,
  label: string,
): Promise<{ readonly added: Person; readonly page: Page }> {
  const added = withSecretOf(person, await confirm(world, browser, { person, path: ADD }))
  const page = await browser.submit(ADD, { label, code: await world.code(added) })
  return { added, page }
}

/** @returns The identifiers of the authenticators, the oldest first. */
export async function factorIds(world: World, person: Person): Promise<readonly string[]> {
  return (await world.identity.factors.list(person.id)).map(({ id }) => id)
}

/** @returns Path of that page for the first authenticator of the account. */
export async function pathOf({ world, person }: Owner, what: string): Promise<string> {
  const [id] = await factorIds(world, person)
  assert.ok(id !== undefined)
  return `${SECURITY}/factors/${id}/${what}`
}
