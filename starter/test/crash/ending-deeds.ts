/** What takes something away from an account: its factors, its sessions. @module */
import assert from 'node:assert/strict'
import { ADMINISTRATOR } from '../../parts/administration/permission.ts'
import type { World } from '../support.ts'
import { signedInOwner } from './change-deeds.ts'
import { assertLeadsTo, assertSignsIn, browserWith, type Deed, linkIn, named } from './deed.ts'

const SESSIONS = '/account/sessions'
const REASON = { reason: 'lost the phone' }

const factorReset: Deed = {
  name: 'the reset of the factors by an administrator',
  async prepare(world) {
    const { person, other } = await signedInOwner(world)
    const pending = world.browser()
    assertLeadsTo(await pending.password(person), '/login/2fa')
    const root = await world.person('root', { factor: 'enabled', permissions: ADMINISTRATOR })
    const browser = world.browser()
    assertLeadsTo(await browser.signIn(root), '/account')
    const path = `/admin/accounts/${person.id}/reset-factors`
    await browser.open(path)
    const sessions = { other: other.sessionId ?? '', pending: pending.sessionId ?? '' }
    return { browser, facts: { ...named(person), ...sessions, path } }
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

async function assertPendingEnds(world: World, cookie: string, isDone: boolean): Promise<void> {
  const door = await browserWith(world, cookie).open('/login/2fa')
  assert.equal(door.status, isDone ? 303 : 200, 'a pending login ends with it')
}

/** What takes something away. */
export const ENDS: readonly Deed[] = [factorReset, objection, otherSessions]
