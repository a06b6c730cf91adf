import assert from 'node:assert/strict'
import { assertSignsIn, browserWith, type Deed, named, signedInOwner } from '../../../test/crash/deed.ts'
import type { Scene } from '../../../test/browser/stage.ts'
import { LONG_EMAIL, LONG_NAME, manySessions, person } from '../../../test/browser/stages/people.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'

const SESSIONS = '/account/sessions'

// Two databases: what was ended before the process died may not be recorded. The owner asks again.
const otherSessions: Deed = {
  name: 'the end of the other sessions',
  isRepeated: true,
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
    await browser.submit(`${SESSIONS}/others`)
    assert.deepEqual([await ended.isSignedIn(), await browser.isSignedIn()], [false, true])
    await assertSignsIn(world, person)
  },
}

const many: Scene = {
  name: 'an account with many sessions and long names',
  shows: ['/account', '/account/sessions', '/account/sessions/all', '/login'],
  async play(stage) {
    const long = await person(stage.world, { name: LONG_NAME, email: LONG_EMAIL })
    await manySessions(stage.world, long, 25)
    const visit = await stage.open()
    await stage.signIn(visit, long)
    await stage.look(visit, 'many-account-sessions')
    await stage.show(visit, '/account/sessions', 'many-sessions')
    await stage.show(visit, '/account/sessions/all', 'many-end-all')
    await visit.open('/account/sessions')
    await stage.press(visit, 'Sign out all others', 'many-others-ended')
    await visit.open('/account/sessions/all')
    await stage.press(visit, 'Sign out everywhere', 'sessions-ended')
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  deeds: [otherSessions],
  scenes: [many],
  noPages: {
    '/account/sessions/end': 'leads back to the list',
    '/account/sessions/others': 'leads back to the list',
  },
}
