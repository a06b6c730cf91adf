/** What a process may die during. @module */
import assert from 'node:assert/strict'
import { signedInOwner, assertLeadsTo, type Deed, named } from '../../../test/crash/deed.ts'
import { linkIn } from '../../../test/flow/steps.ts'
import type { Person, World } from '../../../test/support.ts'
import { DELETION_DAYS } from '../account-deletion.ts'
import { Erasure } from '../erasure.ts'

const DELETE = '/account/delete'
const DELETION_SECONDS = DELETION_DAYS * 24 * 60 * 60

const deletion: Deed = {
  name: 'the request to delete an account',
  async prepare(world) {
    const { browser, person, other } = await signedInOwner(world)
    const pending = world.browser()
    assertLeadsTo(await pending.password(person), '/login/2fa')
    await browser.open(DELETE)
    const sessions = { other: other.sessionId ?? '', pending: pending.sessionId ?? '' }
    return { browser, facts: { ...named(person), ...sessions } }
  },
  act: (browser, { email = '' }) => browser.submit(DELETE, { email }),
}

const deletionBySignIn: Deed = {
  name: 'the sign-in that stops a deletion',
  signsIn: true,
  async prepare(world) {
    const { person } = await askedForDeletion(world)
    const browser = world.browser()
    assertLeadsTo(await browser.password(person), '/login/2fa')
    await browser.open('/login/2fa')
    return { browser, facts: { ...named(person), code: await world.code(person) } }
  },
  act: (browser, { code = '' }) => browser.submit('/login/2fa', { code }),
}

const erasure: Deed = {
  name: 'the erasure of an account',
  isRepeated: true,
  async prepare(world) {
    const { person, link } = await askedForDeletion(world)
    world.clock.advance(DELETION_SECONDS)
    return { browser: world.browser(), facts: { ...named(person), link } }
  },
  async act(_browser, _facts, world) {
    assert.equal(await world.app.get(Erasure).run(), 1)
    return undefined
  },
  leaves: () => undefined,
}

/** Somebody signed in, who asked for the deletion. */
export async function askedForDeletion(
  world: World,
): Promise<{ readonly person: Person; readonly link: string }> {
  const { browser, person } = await signedInOwner(world)
  await browser.open(DELETE)
  assertLeadsTo(await browser.submit(DELETE, { email: person.email }), '/')
  return { person, link: linkIn(world, '/deletion/stop/') }
}

/** Asserts that the account is not erased. */
export async function assertStays(world: World, { id }: Person): Promise<void> {
  world.clock.advance(DELETION_SECONDS)
  assert.equal(await world.app.get(Erasure).run(), 0)
  assert.notEqual(await world.identity.users.authenticationIdentity(id), null)
}

/** The deletion, the sign-in that stops it, and the end. */
export const DEEDS: readonly Deed[] = [deletion, deletionBySignIn, erasure]
