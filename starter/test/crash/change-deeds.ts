/** Changes of what proves an account. @module */
import assert from 'node:assert/strict'
import { codesOf, enroll, newestLink } from '../flow/newcomer.ts'
import { ADD, factorIds, SECURITY, withSecretOf } from '../flow/security-steps.ts'
import { confirm } from '../flow/step-up-steps.ts'
import type { Browser, Person, World } from '../support.ts'
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

/** Somebody who is signed in with two browsers. */
export interface Owner {
  readonly browser: Browser
  readonly person: Person
  readonly other: Browser
}

/** @returns Somebody who signed in with two browsers, and has an unused code. */
export async function signedInOwner(world: World): Promise<Owner> {
  const person = await world.person('ada', { factor: 'enabled' })
  const [other, browser] = [world.browser(), world.browser()]
  for (const each of [other, browser]) {
    assertLeadsTo(await each.signIn(person), '/account')
    world.clock.advance(30)
  }
  return { browser, person, other }
}

/** The facts of somebody who is signed in, and more. */
export function factsOf({ person, other }: Owner, more: Facts = {}): Facts {
  return { ...named(person), other: other.sessionId ?? '', ...more }
}

/** The browser goes on if it can; otherwise its owner signs in again. */
export async function ownerOf(
  { world, browser }: Survivor,
  person: Person,
  password?: string,
): Promise<Browser> {
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

/** What a signed-in user changes, and the reset of a password. */
export const CHANGES: readonly Deed[] = [renewal, passwordChange, reset, adding, replacing, removal]
