/** Changes of what proves an account. @module */
import assert from 'node:assert/strict'
import { codesOf, enroll, newestLink } from '../flow/newcomer.ts'
import { addPasskey, NEW_PASSKEY } from '../flow/passkey-steps.ts'
import { ADD, factorIds, SECURITY, withSecretOf } from '../flow/security-steps.ts'
import { confirm } from '../flow/step-up-steps.ts'
import type { Browser, Person, World } from '../support.ts'
import { SoftwareAuthenticator } from '../software-authenticator.ts'
import {
  assertLeadsTo,
  assertRefused,
  assertSignsIn,
  type Deed,
  type Facts,
  named,
  personOf,
  type Survivor,
} from './deed.ts'

const NEW = 'a quiet orchard in the rain'
const CODES = '/account/recovery-codes'
const CHANGE = '/account/password'

interface Owner {
  readonly browser: Browser
  readonly person: Person
  readonly other: Browser
}

/**
 * @param world The application.
 * @returns Somebody who signed in with two browsers, and has an unused code.
 */
export async function signedInOwner(world: World): Promise<Owner> {
  const person = await world.person('ada', { factor: 'enabled' })
  const [other, browser] = [world.browser(), world.browser()]
  for (const each of [other, browser]) {
    assertLeadsTo(await each.signIn(person), '/account')
    world.clock.advance(30)
  }
  return { browser, person, other }
}

function factsOf({ person, other }: Owner, more: Facts = {}): Facts {
  return { ...named(person), other: other.sessionId ?? '', ...more }
}

// The browser goes on if it can; otherwise its owner signs in again.
async function ownerOf({ world, browser }: Survivor, person: Person, password?: string): Promise<Browser> {
  if (await browser.isSignedIn()) {
    world.clock.advance(30)
    return browser
  }
  return assertSignsIn(world, person, password)
}

const renewal: Deed = {
  name: 'new recovery codes',
  async prepare(world) {
    const browser = world.browser()
    const { person, codes } = await enroll(world, browser, 'ada')
    await browser.open('/enroll')
    await browser.submit('/enroll/done')
    world.clock.advance(30)
    const other = world.browser()
    await other.signIn(person)
    world.clock.advance(30)
    await confirm(world, browser, { person, path: CODES })
    await browser.open(CODES)
    const [code = ''] = codes
    return { browser, facts: factsOf({ browser, person, other }, { code }) }
  },
  act: (browser) => browser.submit(CODES),
  async resume(survivor) {
    const { world, person, facts, isDone } = survivor
    const { code = '' } = facts
    const path = '/login/2fa/recovery'
    if (isDone) await assertRefused(world, person, { code, path })
    const owner = await ownerOf(survivor, person)
    await confirm(world, owner, { person, path: CODES })
    const [next = ''] = codesOf(await owner.submit(CODES))
    await assertRefused(world, person, { code, path })
    const later = world.browser()
    await later.password(person)
    await later.open(path)
    assertLeadsTo(await later.submit(path, { code: next }), '/account')
  },
}

const passwordChange: Deed = {
  name: 'a change of password',
  async prepare(world) {
    const owner = await signedInOwner(world)
    await owner.browser.open(CHANGE)
    return { browser: owner.browser, facts: factsOf(owner) }
  },
  act: (browser) => browser.submit(CHANGE, { password: NEW }),
  async resume({ world, browser, person, isDone }) {
    if (!isDone) {
      await browser.open(CHANGE)
      assertLeadsTo(await browser.submit(CHANGE, { password: NEW }), SECURITY)
    }
    assert.equal((await world.browser().password(person)).status, 422)
    await assertSignsIn(world, person, NEW)
  },
}

const reset: Deed = {
  name: 'a reset of the password',
  async prepare(world) {
    const { person, other } = await signedInOwner(world)
    const browser = world.browser()
    await browser.open('/forgot')
    await browser.submit('/forgot', { email: person.email })
    const link = newestLink(world)
    await browser.open(link)
    return { browser, facts: factsOf({ browser, person, other }, { link }) }
  },
  act: (browser, { link = '' }) => browser.submit(link, { password: NEW }),
  async resume({ world, browser, person, facts: { link = '' }, isDone }) {
    assert.equal((await browser.open(link)).status, isDone ? 410 : 200)
    if (!isDone) assertLeadsTo(await browser.submit(link, { password: NEW }), '/login')
    assert.equal(await browser.isSignedIn(), false)
    assert.equal((await world.browser().open(link)).status, 410)
    assert.equal((await world.browser().password(person)).status, 422)
    await assertSignsIn(world, person, NEW)
  },
}

const adding: Deed = {
  name: 'a further authenticator',
  prepare: (world) => atSetUp(world, () => ADD),
  act: (browser, { code = '' }) => browser.submit(ADD, { label: 'Tablet', code }),
  async resume(survivor) {
    const { world, browser, person, facts, isDone } = survivor
    const { code = '' } = facts
    const added = { ...person, secret: personOf({ secret: facts['added'] ?? '' }).secret }
    assert.equal((await factorIds(world, person)).length, isDone ? 2 : 1)
    if (!isDone) {
      await browser.open(ADD)
      assertLeadsTo(await browser.submit(ADD, { label: 'Tablet', code }), SECURITY)
    }
    await assertRefused(world, person, { code })
    // The second door asks for the authenticator that was used last.
    await assertSignsIn(world, added)
  },
}

const replacing: Deed = {
  name: 'an authenticator in place of another',
  prepare: (world) => atSetUp(world, (id) => `${SECURITY}/factors/${id}/replace`),
  act: (browser, { path = '', code = '' }) => browser.submit(path, { label: 'Tablet', code }),
  async resume({ world, browser, person, facts, isDone }) {
    const { path = '', code = '' } = facts
    const added = { ...person, secret: personOf({ secret: facts['added'] ?? '' }).secret }
    if (!isDone) {
      await browser.open(path)
      assertLeadsTo(await browser.submit(path, { label: 'Tablet', code }), SECURITY)
    }
    assert.equal((await factorIds(world, person)).length, 1)
    await assertRefused(world, person, { code: await world.code(person) })
    await assertRefused(world, person, { code })
    await assertSignsIn(world, added)
  },
}

async function atSetUp(world: World, pathOf: (id: string) => string): ReturnType<Deed['prepare']> {
  const owner = await signedInOwner(world)
  const [id = ''] = await factorIds(world, owner.person)
  const path = pathOf(id)
  const added = withSecretOf(owner.person, await owner.browser.open(path))
  const more = { path, added: added.secret?.reveal() ?? '', code: await world.code(added) }
  return { browser: owner.browser, facts: factsOf(owner, more) }
}

const removal: Deed = {
  name: 'the removal of an authenticator',
  async prepare(world) {
    const owner = await signedInOwner(world)
    const [id = ''] = await factorIds(world, owner.person)
    const path = `${SECURITY}/factors/${id}/remove`
    await owner.browser.open(path)
    return { browser: owner.browser, facts: factsOf(owner, { path }) }
  },
  act: (browser, { path = '' }) => browser.submit(path),
  async resume({ world, browser, person, facts: { path = '' }, isDone }) {
    if (!isDone) {
      await browser.open(path)
      assertLeadsTo(await browser.submit(path), SECURITY)
    }
    assert.deepEqual(await factorIds(world, person), [])
    await assertSignsIn(world, { ...person, secret: undefined })
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
  async resume(survivor) {
    const { world, person, facts, isDone } = survivor
    const { response = '' } = facts
    const keys = async (): Promise<number> => (await world.identity.passkeys.list(person.id)).length
    assert.equal(await keys(), isDone ? 1 : 0)
    const owner = await ownerOf(survivor, person)
    await owner.open(NEW_PASSKEY)
    await owner.submit(NEW_PASSKEY, { label: 'Again', response })
    assert.ok((await keys()) <= 1)
    const before = await keys()
    await confirm(world, owner, { person, path: NEW_PASSKEY })
    await addPasskey(owner, 'Other')
    assert.equal(await keys(), before + 1)
    await assertSignsIn(world, person)
  },
}

/** What a signed-in user changes, and the reset of a password. */
export const CHANGES: readonly Deed[] = [
  renewal,
  passwordChange,
  reset,
  adding,
  replacing,
  removal,
  registration,
]
