import assert from 'node:assert/strict'
import { signedInOwner } from '../../../test/crash/change-deeds.ts'
import { assertLeadsTo, assertSignsIn, browserWith, type Deed, named } from '../../../test/crash/deed.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'

const SESSIONS = '/account/sessions'

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

/** What the tests of the core know of it. */
export const facts: PartFacts = { deeds: [otherSessions] }
