/** What a process may die during. @module */
import assert from 'node:assert/strict'
import {
  signedInOwner,
  assertLeadsTo,
  assertPendingEnds,
  type Deed,
  named,
} from '../../../test/crash/deed.ts'
import { ADMINISTRATOR } from '../permission.ts'

const REASON = { reason: 'lost the phone' }

const factorReset: Deed = {
  name: 'the reset of the factors by an administrator',
  isRepeated: true,
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

/** What administrators do. */
export const DEEDS: readonly Deed[] = [factorReset]
