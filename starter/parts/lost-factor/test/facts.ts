import type { Scene, Stage } from '../../../test/browser/stage.ts'
import type { Visit } from '../../../test/browser/visit.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import type { Person } from '../../../test/support.ts'
import { FactorRecovery, RECOVERY_CONFIRM_SECONDS, RECOVERY_WAIT_SECONDS } from '../factor-recovery.ts'
import { DEEDS, TELLINGS } from './deeds.ts'
import { begin } from './steps.ts'

const HERE = { clientAddress: '192.0.2.7', device: '' }

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
  openings: {
    'the link that confirms a recovery': async (world, { id }) => {
      const recoveries = world.app.get(FactorRecovery)
      let token = ''
      await recoveries.ask(id, HERE, async ({ confirm }) => void (token = confirm))
      return {
        lifetimeSeconds: RECOVERY_CONFIRM_SECONDS,
        isOpen: async () => (await recoveries.confirmable(token)) !== undefined,
        use: async () => (await recoveries.confirm(token, HERE, async () => undefined)) !== undefined,
      }
    },
  },
  beside: {
    'GET /lost':
      'shows the ways that are left without the second factor, to users who have proven the password',
    'POST /lost': 'sends the link that confirms a recovery',
    'POST /lost/continue':
      'after the waiting time, begins an enrollment that waits for a last link; the session stays anonymous',
  },
  links: {
    'POST /lost/confirm/{token}': 'begins the waiting time of a recovery; nothing else changes',
    'POST /lost/cancel/{token}': 'stops a recovery',
  },
  notices: { 'recovery-cancelled': null, 'factors-replaced': { label: 'Phone' } },
  lists: {
    factor_recovery: 'expires',
    recovery_link: { because: 'three for each recovery, with which it is deleted' },
  },
  kept: { recovery_link: 'ends with its recovery' },
  ledger: { recoveries: 'SELECT ready_at, ended_at, outcome FROM factor_recovery ORDER BY asked_at' },
}
