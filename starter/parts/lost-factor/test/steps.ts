/** A lost factor, in the steps of the pages. @module */
import assert from 'node:assert/strict'
import { atDoor, linkIn } from '../../../test/flow/steps.ts'
import { type Browser, PASSWORD, type Person, type World } from '../../../test/support.ts'

/** Beginning of the links that confirm a recovery. */
export const CONFIRM_LINK = '/lost/confirm/'
/** Beginning of the links that stop one. */
export const CANCEL_LINK = '/lost/cancel/'

/** Proves the password, and asks for a recovery. */
export async function ask(world: World, person: Person, password: string = PASSWORD): Promise<void> {
  const browser = world.browser()
  await browser.password(person, password)
  assert.equal((await browser.send('/lost')).location, '/lost')
}

/** Asks and confirms: the waiting time begins. */
export async function begin(world: World, person: Person, password: string = PASSWORD): Promise<void> {
  await ask(world, person, password)
  assert.equal((await world.browser().send(linkIn(world, CONFIRM_LINK))).status, 200)
}

/** Proves the password, and tries to go on. @returns Where that leads. */
export async function goOn(
  world: World,
  person: Person,
  password: string = PASSWORD,
): Promise<{ readonly browser: Browser; readonly location: string | null }> {
  const browser = await atDoor(world, person, '/lost', password)
  return { browser, location: (await browser.submit('/lost/continue')).location }
}

/** @returns A browser at the page with the secret of the new factor, after the waiting time. */
export async function reachSetUp(world: World, person: Person): Promise<Browser> {
  const { browser, location } = await goOn(world, person)
  assert.equal(location, '/enroll')
  assert.equal((await browser.send(linkIn(world, '/enroll/confirm/'))).location, '/enroll')
  return browser
}
