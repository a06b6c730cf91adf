/** Requests of passkeys during which a process may die. @module */
import assert from 'node:assert/strict'
import {
  factsOf,
  signedInOwner,
  assertLeadsTo,
  assertSignsIn,
  type Deed,
  named,
} from '../../../test/crash/deed.ts'
import { confirm } from '../../../test/flow/steps.ts'
import { Passkeys } from '../passkeys.ts'
import { SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import {
  addPasskey,
  atPasskeyDoor,
  NEW_PASSKEY,
  PASSKEY_DOOR,
  PASSKEY_SIGN_IN,
  passkeySignIn,
  withPasskey,
} from './steps.ts'

const passkey: Deed = {
  name: 'a passkey at the second door',
  isSilent: true,
  signsIn: true,
  async prepare(world) {
    const ada = await world.person('ada', { factor: 'enabled' })
    const key = await withPasskey(world, ada)
    world.clock.advance(30)
    const { browser, page } = await atPasskeyDoor(world, ada)
    const response = key.respond(page.html)
    return { browser, facts: { ...named(ada), response, key: key.save() } }
  },
  act: (browser, { response = '' }) => browser.submit(PASSKEY_DOOR, { response }),
  async resume({ world, browser, person, facts, isDone }) {
    const { response = '' } = facts
    const key = keyOf(facts)
    const page = await browser.open(PASSKEY_DOOR)
    const thief = browser.twin()
    if (page.status === 200) {
      const done = await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html) })
      assertLeadsTo(done, isDone ? '/login' : '/account')
    } else assert.equal(isDone, true)
    // The response that was on its way when the process died.
    await thief.submit(PASSKEY_DOOR, { response })
    assert.equal(await thief.isSignedIn(), false)
    const later = await atPasskeyDoor(world, person)
    const again = await later.browser.submit(PASSKEY_DOOR, { response: key.respond(later.page.html) })
    assertLeadsTo(again, '/account')
  },
}

const passkeyAlone: Deed = {
  name: 'a passkey as the whole login',
  isSilent: true,
  isRepeated: true,
  signsIn: true,
  async prepare(world) {
    const ada = await world.person('ada', { factor: 'enabled' })
    const key = await withPasskey(world, ada)
    const browser = world.browser()
    const response = key.respond((await browser.open('/login')).html)
    return { browser, facts: { ...named(ada), response, key: key.save() } }
  },
  act: (browser, { response = '' }) => browser.submit(PASSKEY_SIGN_IN, { response }),
  async resume({ world, browser, facts, isDone }) {
    const { response = '' } = facts
    const key = keyOf(facts)
    const thief = browser.twin()
    await thief.open('/login')
    if (isDone) {
      await thief.submit(PASSKEY_SIGN_IN, { response })
      assert.equal(await thief.isSignedIn(), false, 'a used response is refused')
    }
    // The first page after the end of its session may be out of date; it says so, and the second one is not.
    const first = await passkeySignIn(browser, key)
    if (first.location !== '/account') {
      assert.equal(isDone, true)
      assertLeadsTo(await passkeySignIn(browser, key), '/account')
    }
    assertLeadsTo(await passkeySignIn(world.browser(), key), '/account')
  },
}

const registration: Deed = {
  name: 'the registration of a passkey',
  async prepare(world) {
    const owner = await signedInOwner(world)
    const key = new SoftwareAuthenticator()
    const response = key.register((await owner.browser.open(NEW_PASSKEY)).html)
    return { browser: owner.browser, facts: factsOf({ ...owner, other: world.browser() }, { response }) }
  },
  act: (browser, { response = '' }) => browser.submit(NEW_PASSKEY, { label: 'Key', response }),
  async resume({ world, person, facts: { response = '' }, isDone }) {
    const keys = async (): Promise<number> => (await world.app.get(Passkeys).list(person.id)).length
    assert.equal(await keys(), isDone ? 1 : 0)
    const owner = await assertSignsIn(world, person)
    await owner.send(NEW_PASSKEY, { label: 'Again', response })
    assert.ok((await keys()) <= 1)
    const before = await keys()
    await confirm(world, owner, { person, path: NEW_PASSKEY })
    await addPasskey(owner, 'Other')
    assert.equal(await keys(), before + 1)
    await assertSignsIn(world, person)
  },
}

/** @returns The authenticator. */
function keyOf({ key }: Readonly<Record<string, string>>): SoftwareAuthenticator {
  return new SoftwareAuthenticator(undefined, key)
}

/** What is done with passkeys. */
export const DEEDS: readonly Deed[] = [passkey, passkeyAlone, registration]
