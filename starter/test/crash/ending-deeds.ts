/** What takes something away from an account: a passkey, its factors, its sessions. @module */
import assert from 'node:assert/strict'
import { ADMINISTRATOR } from '../../parts/administration/permission.ts'
import { addPasskey, passkeySignIn, withPasskey } from '../flow/passkey-steps.ts'
import { factorIds, SECURITY } from '../flow/security-steps.ts'
import { confirm } from '../flow/step-up-steps.ts'
import { type Browser, type Page, PASSWORD, type Person, type World } from '../support.ts'
import { signedInOwner } from './change-deeds.ts'
import { assertLeadsTo, assertSignsIn, browserWith, type Deed, keyOf, linkIn, named } from './deed.ts'

const SESSIONS = '/account/sessions'
const REASON = { reason: 'lost the phone' }

const passkeyRemoval: Deed = {
  name: 'the removal of a passkey',
  prepare: async (world) => {
    const person = await world.person('ada', { factor: 'enabled' })
    const key = await withPasskey(world, person)
    world.clock.advance(30)
    const other = world.browser()
    assertLeadsTo(await other.signIn(person), '/account')
    const { browser, path } = await atRemoval(world, person)
    return { browser, facts: { ...named(person), other: other.sessionId ?? '', key: key.save(), path } }
  },
  act: (browser, { path = '' }) => browser.submit(path),
  async resume({ world, browser, person, facts, isDone }) {
    const { path = '' } = facts
    await assertRemoved({ world, browser, path, isDone })
    assert.deepEqual(await world.identity.passkeys.list(person.id), [])
    await assertKeyRefused(world, facts)
    assert.equal((await factorIds(world, person)).length, 1)
    await assertSignsIn(world, person)
  },
}

// The recovery codes go with the last factor: what would be left of them opens the door of a later one.
const lastPasskeyRemoval: Deed = {
  name: 'the removal of the last factor, a passkey',
  prepare: async (world) => {
    const person = await world.person('ada')
    const key = await withPasskey(world, person)
    const other = world.browser()
    assertLeadsTo(await passkeySignIn(other, key), '/account')
    const browser = world.browser()
    assertLeadsTo(await passkeySignIn(browser, key), '/account')
    const path = await removalPath(world, person)
    assert.equal((await confirmPassword(browser, path)).status, 200)
    return { browser, facts: { ...named(person), other: other.sessionId ?? '', key: key.save(), path } }
  },
  act: (browser, { path = '' }) => browser.submit(path),
  async resume({ world, browser, person, facts, isDone }) {
    const { path = '' } = facts
    await assertRemoved({ world, browser, path, isDone })
    assert.equal(await world.identity.codes.left(person.id), 0)
    await assertKeyRefused(world, facts)
    const owner = await assertSignsIn(world, person)
    await addPasskey(owner, 'Next')
    assert.equal(await world.identity.codes.left(person.id), 10)
  },
}

const factorReset: Deed = {
  name: 'the reset of the factors by an administrator',
  async prepare(world) {
    const { person, other } = await signedInOwner(world)
    const key = await withPasskey(world, person)
    assertLeadsTo(await passkeySignIn(other, key), '/account')
    world.clock.advance(30)
    const pending = world.browser()
    assertLeadsTo(await pending.password(person), '/login/2fa')
    const root = await world.person('root', { factor: 'enabled', permissions: ADMINISTRATOR })
    const browser = world.browser()
    assertLeadsTo(await browser.signIn(root), '/account')
    const path = `/admin/accounts/${person.id}/reset-factors`
    await browser.open(path)
    const sessions = { other: other.sessionId ?? '', pending: pending.sessionId ?? '' }
    return { browser, facts: { ...named(person), ...sessions, key: key.save(), path } }
  },
  act: (browser, { path = '' }) => browser.submit(path, REASON),
  async resume({ world, browser, person, facts, isDone }) {
    const { path = '', pending = '' } = facts
    await assertPendingEnds(world, pending, isDone)
    if (!isDone) {
      await browser.open(path)
      assertLeadsTo(await browser.submit(path, REASON), path.replace('/reset-factors', ''))
    }
    assert.equal(await world.identity.secondFactors.isRequired(person.id), false)
    await assertKeyRefused(world, facts)
    // Never the password alone: it leads to a new factor.
    const owner = world.browser()
    assertLeadsTo(await owner.password(person), '/enroll')
    assert.equal(await owner.isSignedIn(), false)
  },
}

const objection: Deed = {
  name: 'the link "this was not me"',
  async prepare(world) {
    const { person, other } = await signedInOwner(world)
    const pending = world.browser()
    assertLeadsTo(await pending.password(person), '/login/2fa')
    await world.identity.notices.tell(person.id, 'password-changed')
    const link = linkIn(world, /\/not-me\/[\w-]{43}/)
    const browser = world.browser()
    await browser.open(link)
    const sessions = { other: other.sessionId ?? '', pending: pending.sessionId ?? '' }
    return { browser, facts: { ...named(person), ...sessions, link } }
  },
  act: (browser, { link = '' }) => browser.submit(link),
  async resume({ world, browser, person, facts, isDone }) {
    const { link = '', pending = '' } = facts
    await assertPendingEnds(world, pending, isDone)
    assert.equal((await browser.open(link)).status, isDone ? 410 : 200)
    if (!isDone) assertLeadsTo(await browser.submit(link), '/forgot')
    assert.equal((await world.browser().open(link)).status, 410)
    assert.equal(await browser.isSignedIn(), false)
    await assertSignsIn(world, person)
  },
}

// Two databases: what was ended before the process died may not be recorded. The owner asks again.
const otherSessions: Deed = {
  name: 'the end of the other sessions',
  async prepare(world) {
    const { browser, person, other } = await signedInOwner(world)
    await browser.open(SESSIONS)
    return { browser, facts: { ...named(person), ended: other.sessionId ?? '' } }
  },
  act: (browser) => browser.submit(`${SESSIONS}/others`),
  async resume({ world, browser, person, facts, isDone }) {
    const ended = browserWith(world, facts['ended'] ?? '')
    if (isDone) assert.equal(await ended.isSignedIn(), false)
    await browser.open(SESSIONS)
    assertLeadsTo(await browser.submit(`${SESSIONS}/others`), SESSIONS)
    assert.deepEqual([await ended.isSignedIn(), await browser.isSignedIn()], [false, true])
    await assertSignsIn(world, person)
  },
}

async function removalPath(world: World, { id }: Person): Promise<string> {
  const [key] = await world.identity.passkeys.list(id)
  assert.ok(key !== undefined)
  return `/account/passkeys/${key.id}/remove`
}

async function atRemoval(
  world: World,
  person: Person,
): Promise<{ readonly browser: Browser; readonly path: string }> {
  world.clock.advance(30)
  const browser = world.browser()
  assertLeadsTo(await browser.signIn(person), '/account')
  const path = await removalPath(world, person)
  world.clock.advance(30)
  assert.equal((await confirm(world, browser, { person, path })).status, 200)
  return { browser, path }
}

async function confirmPassword(browser: Browser, path: string): Promise<Page> {
  const asked = await browser.open(path)
  await browser.open(asked.location ?? '')
  await browser.submit('/account/confirm', { return_url: path, password: PASSWORD })
  return browser.open(path)
}

async function assertRemoved(removal: {
  readonly world: World
  readonly browser: Browser
  readonly path: string
  readonly isDone: boolean
}): Promise<void> {
  const { browser, path, isDone } = removal
  if (isDone) return
  await browser.open(path)
  assertLeadsTo(await browser.submit(path), SECURITY)
}

async function assertKeyRefused(world: World, facts: Readonly<Record<string, string>>): Promise<void> {
  const thief = world.browser()
  assertLeadsTo(await passkeySignIn(thief, keyOf(facts)), '/login')
  assert.equal(await thief.isSignedIn(), false, 'a removed passkey opens nothing')
}

async function assertPendingEnds(world: World, cookie: string, isDone: boolean): Promise<void> {
  const door = await browserWith(world, cookie).open('/login/2fa')
  assert.equal(door.status, isDone ? 303 : 200, 'a pending login ends with it')
}

/** What takes something away. */
export const ENDS: readonly Deed[] = [
  passkeyRemoval,
  lastPasskeyRemoval,
  factorReset,
  objection,
  otherSessions,
]
