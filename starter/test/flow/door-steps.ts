/** Signing in and out, in the steps of the pages. @module */
import assert from 'node:assert/strict'
import { type Browser, type Page, PASSWORD, type Person, type World } from '../support.ts'

/** The second door. */
export const DOOR = '/login/2fa'
/** The page about signing in. */
export const SECURITY = '/account/security'

/** @param browser A signed-in browser. */
export async function leave(browser: Browser): Promise<void> {
  await browser.open('/account')
  assert.equal((await browser.submit('/logout')).location, '/login')
}

/** @returns Where the password leads. */
export async function enter(
  browser: Browser,
  person: Person,
  password: string = PASSWORD,
): Promise<Page['location']> {
  return (await browser.password(person, password)).location
}

/** @returns How many of them were sent. */
export function mailsOf(world: World, subject: RegExp): number {
  return world.mailbox.list().filter((mail) => subject.test(mail.subject)).length
}
