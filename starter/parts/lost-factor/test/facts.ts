import type { Scene, Stage } from '../../../test/browser/stage.ts'
import type { Visit } from '../../../test/browser/visit.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import type { Person, World } from '../../../test/support.ts'
import { RECOVERY_CONFIRM_SECONDS, RECOVERY_WAIT_SECONDS } from '../factor-recovery.ts'
import { DEEDS, TELLINGS } from './deeds.ts'
import { ask, begin, CANCEL_LINK, CONFIRM_LINK } from './steps.ts'

const LINK = { clauses: '[RA-2101 RA-2502]', table: 'recovery_link', status: 200 } as const

/** Somebody who does that about a lost factor. */
async function losing(
  world: World,
  act: (world: World, person: Person) => Promise<unknown>,
): Promise<Person> {
  const ada = await world.person('ada', { factor: 'enabled' })
  await act(world, ada)
  return ada
}

async function atLost(stage: Stage, visit: Visit, person: Person): Promise<void> {
  await stage.enterPassword(visit, person)
  await visit.click('link', 'Lost access to your second step?')
}

const lostFactor: Scene = {
  name: 'a lost factor',
  shows: ['/lost', '/lost/confirm/{token}', '/lost/cancel/{token}', '/enroll', '/enroll/confirm/{token}'],
  async play(stage) {
    const { clock } = stage.world
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    await atLost(stage, visit, ada)
    await stage.look(visit, 'lost')
    await stage.press(visit, 'Start the recovery', 'lost-asked')
    const link = stage.link('/lost/confirm/')
    await stage.show(visit, link, 'lost-confirm')
    await stage.press(visit, 'Start the waiting time', 'lost-waiting-begins')
    await atLost(stage, visit, ada)
    await stage.look(visit, 'lost-waiting')
    await stage.show(visit, stage.link('/lost/cancel/'), 'lost-cancel')
    clock.advance(RECOVERY_WAIT_SECONDS)
    await atLost(stage, visit, ada)
    await stage.look(visit, 'lost-ready')
    await stage.press(visit, 'Set up a new second step', 'lost-enroll-mail')
    await stage.show(visit, stage.link('/enroll/confirm/'), 'lost-enroll-confirm')
    const elsewhere = await stage.open()
    await stage.show(elsewhere, stage.link('/enroll/confirm/'), 'lost-enroll-elsewhere')
    await stage.press(visit, 'Continue', 'lost-enroll')
    await visit.open(stage.link('/lost/cancel/'))
    await stage.press(visit, 'Stop it', 'lost-stopped')
    await stage.show(visit, link, 'lost-outdated')
    await atLost(stage, visit, ada)
    await stage.look(visit, 'lost-paused')
  },
}

const noticed: Scene = {
  name: 'a recovery that somebody else began',
  shows: ['/account'],
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const [owner, thief] = [await stage.open(), await stage.open()]
    await stage.signIn(owner, ada)
    await atLost(stage, thief, ada)
    await thief.click('button', 'Start the recovery')
    await thief.open(stage.link('/lost/confirm/'))
    await thief.click('button', 'Start the waiting time')
    await stage.show(owner, '/account', 'lost-notice')
    await stage.show(owner, '/nothing-here', 'lost-notice-404')
    await owner.open('/account')
    await stage.press(owner, 'Stop it', 'lost-notice-stopped')
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  scenes: [lostFactor, noticed],
  deeds: DEEDS,
  tellings: TELLINGS,
  acts: { loseFactors: begin },
  mailLinks: {
    'the link that confirms a recovery': {
      ...LINK,
      start: CONFIRM_LINK,
      does: 'begins the waiting time of a recovery; nothing else changes',
      make: (world) => losing(world, ask),
      event: 'recovery-confirmed',
      seconds: RECOVERY_CONFIRM_SECONDS,
      opens: true,
      endsWith: 'credentials',
    },
    'the link that stops a recovery': {
      ...LINK,
      start: CANCEL_LINK,
      does: 'stops a recovery',
      make: (world) => losing(world, begin),
      event: 'recovery-cancelled',
    },
  },
  beside: {
    'GET /lost':
      'shows the ways that are left without the second factor, to users who have proven the password',
    'POST /lost': 'sends the link that confirms a recovery',
    'POST /lost/continue':
      'after the waiting time, begins an enrollment that waits for a last link; the session stays anonymous',
  },
  notices: { 'recovery-cancelled': null, 'factors-replaced': { label: 'Phone' } },
  lists: {
    factor_recovery: 'expires',
    recovery_link: { because: 'three for each recovery, with which it is deleted' },
  },
  kept: { recovery_link: 'ends with its recovery' },
  ledger: { recoveries: 'SELECT ready_at, ended_at, outcome FROM factor_recovery ORDER BY asked_at' },
}
