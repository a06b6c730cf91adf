/** Getting back in: a forgotten password, a lost factor, an account that was added by somebody else. @module */
import { RECOVERY_WAIT_SECONDS } from '../../../identity/recovery/factor-recovery.ts'
import type { Person } from '../../support.ts'
import type { Scene, Stage } from '../stage.ts'
import type { Visit } from '../visit.ts'

const NEW = 'a quiet orchard in the rain'
const OPERATOR = { by: { kind: 'operator', name: 'ops' }, reason: 'a new colleague' } as const

const forgotten: Scene = {
  name: 'a forgotten password',
  shows: ['/forgot', '/forgot/sent', '/forgot/{token}', '/login'],
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    const { page } = visit
    const ask = async (email: string): Promise<void> => {
      await visit.open('/forgot')
      await page.getByLabel('Email address').fill(email)
      await visit.click('button', 'Send the link')
    }
    await stage.show(visit, '/forgot', 'forgot')
    await ask(ada.email)
    await stage.look(visit, 'forgot-sent')
    await stage.show(visit, stage.link('/forgot/'), 'forgot-choose')
    const link = new URL(page.url()).pathname
    const choose = async (password: string): Promise<void> => {
      await page.getByLabel('Password').fill(password)
      await visit.click('button', 'Set the password')
    }
    await choose('password1234')
    await stage.look(visit, 'forgot-choose-refused')
    await choose(NEW)
    await stage.look(visit, 'forgot-done')
    await stage.show(visit, link, 'forgot-outdated')
    for (let asked = 0; asked < 5; asked += 1) await ask(ada.email)
    await stage.look(visit, 'forgot-429')
    await visit.open('/login')
    await visit.enterPassword({ email: ada.email, password: NEW })
    await visit.enterCode(await stage.code(ada))
    await stage.show(visit, '/forgot', 'forgot-inside')
  },
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
    await visit.click('button', 'Start the recovery')
    await stage.look(visit, 'lost-asked')
    const link = stage.link('/lost/confirm/')
    await stage.show(visit, link, 'lost-confirm')
    await visit.click('button', 'Start the waiting time')
    await stage.look(visit, 'lost-waiting-begins')
    await atLost(stage, visit, ada)
    await stage.look(visit, 'lost-waiting')
    await stage.show(visit, stage.link('/lost/cancel/'), 'lost-cancel')
    clock.advance(RECOVERY_WAIT_SECONDS)
    await atLost(stage, visit, ada)
    await stage.look(visit, 'lost-ready')
    await visit.click('button', 'Set up a new second step')
    await stage.look(visit, 'lost-enroll-mail')
    await stage.show(visit, stage.link('/enroll/confirm/'), 'lost-enroll-confirm')
    const elsewhere = await stage.open()
    await stage.show(elsewhere, stage.link('/enroll/confirm/'), 'lost-enroll-elsewhere')
    await visit.click('button', 'Continue')
    await stage.look(visit, 'lost-enroll')
    await visit.open(stage.link('/lost/cancel/'))
    await visit.click('button', 'Stop it')
    await stage.look(visit, 'lost-stopped')
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
    await owner.click('button', 'Stop it')
    await stage.look(owner, 'lost-notice-stopped')
  },
}

const setUp: Scene = {
  name: 'an account that an operator added',
  shows: ['/set-up/{token}', '/enroll'],
  async play(stage) {
    const owner = { email: 'grace@example.test', name: 'Grace Hopper', permissions: [] }
    const { token } = await stage.world.identity.administration.accounts.add(OPERATOR, owner)
    const visit = await stage.open()
    await stage.show(visit, `/set-up/${token}`, 'set-up')
    const choose = async (password: string): Promise<void> => {
      await visit.page.getByLabel('Password').fill(password)
      await visit.after(() => visit.page.locator('main button[type=submit]').click())
    }
    await choose('GraceHopper1906')
    await stage.look(visit, 'set-up-refused')
    await choose(NEW)
    await stage.look(visit, 'set-up-enroll')
    await stage.show(visit, `/set-up/${token}`, 'set-up-outdated')
  },
}

/** Scenes of getting back in. */
export const RECOVERY: readonly Scene[] = [forgotten, lostFactor, noticed, setUp]
