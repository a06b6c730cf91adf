/** Someone who signs up, in the steps of the pages. @module */
import assert from 'node:assert/strict'
import { Secret } from 'sallyport'
import { type Browser, type Page, PASSWORD, type Person, type World } from '../support.ts'

/** @returns Path of the link in the newest mail. */
export function newestLink(world: World): string {
  const [mail] = world.mailbox.list()
  return /https:\/\/app\.test(\/\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
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

/** @returns The account, with the secret that the page shows. */
export async function personOf(world: World, name: string, page: Page): Promise<Person> {
  const email = `${name}@example.test`
  const account = await world.identity.users.findByEmail(email)
  const key = /<code class="secret"[^>]*>([A-Z2-7 ]+)<\/code>/.exec(page.html)?.[1]?.replaceAll(' ', '')
  assert.ok(account !== null && key !== undefined, 'the page shows a key')
  return { id: account.id, email, secret: new Secret(key) }
}

/** @returns The codes. */
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
