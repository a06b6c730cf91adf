/** A token of a trusted browser that two clients use within a minute. @module */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { PARALLEL_SECONDS } from '../../identity/devices/trusted-devices.ts'
import type { SoftwareAuthenticator } from '../software-authenticator.ts'
import { type Browser, type Person, World } from '../support.ts'
import { DAYS, DOOR, enter, FIREFOX, leave, trust } from './device-steps.ts'
import { enroll } from './newcomer.ts'
import { addPasskey, PASSKEY_DOOR } from './passkey-steps.ts'

/** Two clients with one token. */
export interface Race {
  readonly world: World
  readonly ada: Person
  /** The browser that was trusted, which stands at the second door within the time of a lost response. */
  readonly browser: Browser
  /** Used its token first and is signed in: a thief, unless the response got lost. */
  readonly first: Browser
  readonly codes: readonly string[]
  readonly key: SoftwareAuthenticator
}

/**
 * @param test The test.
 * @returns Both have used the token within a minute; the second one stands at the second door.
 */
export async function race(test: TestContext): Promise<Race> {
  const world = await World.create(test, { trustedDeviceDays: DAYS, mailCodes: true })
  const browser = world.browser({ userAgent: FIREFOX })
  const { person: ada, codes } = await enroll(world, world.browser(), 'ada')
  world.clock.advance(30)
  await browser.signIn(ada)
  const key = await addPasskey(browser, 'Blue key')
  await leave(browser)
  await trust(world, ada, browser)
  await leave(browser)
  const first = browser.twin()
  assert.equal(await enter(first, ada), '/account')
  world.clock.advance(PARALLEL_SECONDS - 1)
  assert.equal(await enter(browser, ada), DOOR)
  assert.doesNotMatch((await browser.open(DOOR)).html, /an old key of a trusted browser/)
  assert.equal(await first.isSignedIn(), true)
  return { world, ada, browser, first, codes, key }
}

/** Proves the second step for the second one. */
export type Proof = (race: Race, fields?: Readonly<Record<string, string>>) => Promise<void>

/** By a code. */
export const byCode: Proof = async ({ world, ada, browser }, fields) => {
  world.clock.advance(30)
  await browser.open(DOOR)
  assert.equal((await browser.submit(DOOR, { code: await world.code(ada), ...fields })).location, '/account')
}

const byPasskey: Proof = async ({ browser, key }, fields) => {
  const { html } = await browser.open(PASSKEY_DOOR)
  const page = await browser.submit(PASSKEY_DOOR, { response: key.respond(html), ...fields })
  assert.equal(page.location, '/account')
}

/** By each kind of second step. */
export const PROOFS: Readonly<Record<string, Proof>> = {
  'a code': byCode,
  'a passkey': byPasskey,
  'a code and the box': (raced) => byCode(raced, { trust: '1' }),
  'a passkey and the box': (raced) => byPasskey(raced, { trust: '1' }),
  'a code by mail': async ({ world, browser }) => {
    await browser.open('/mail-code')
    await browser.submit('/mail-code/send')
    await browser.open('/mail-code')
    const mail = world.mailbox.list().find(({ subject }) => subject === 'Your code for signing in')
    const code = /\n(\d{4} \d{4})\n/.exec(mail?.text ?? '')?.[1] ?? ''
    assert.equal((await browser.submit('/mail-code', { code })).location, '/account')
  },
  'a recovery code': async ({ browser, codes: [code = ''] }) => {
    await browser.open(`${DOOR}/recovery`)
    assert.equal((await browser.submit(`${DOOR}/recovery`, { code })).location, '/account')
  },
}
