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
      await page.getByLabel('E-mail address').fill(email)
      await visit.click('button', 'Send the link')
    }
    await visit.open('/forgot')
    await stage.look(visit, 'forgot')
    await ask(ada.email)
    await stage.look(visit, 'forgot-sent')
    await visit.open(stage.link('/forgot/'))
    await stage.look(visit, 'forgot-choose')
    const link = new URL(page.url()).pathname
    const choose = async (password: string): Promise<void> => {
      await page.getByLabel('Password').fill(password)
      await visit.click('button', 'Set the password')
    }
    await choose('password1234')
    await stage.look(visit, 'forgot-choose-refused')
    await choose(NEW)
    await stage.look(visit, 'forgot-done')
    await visit.open(link)
    await stage.look(visit, 'forgot-outdated')
    for (let asked = 0; asked < 5; asked += 1) await ask(ada.email)
    await stage.look(visit, 'forgot-429')
    await visit.open('/login')
    await visit.enterPassword({ email: ada.email, password: NEW })
    await visit.enterCode(await stage.code(ada))
    await visit.open('/forgot')
    await stage.look(visit, 'forgot-inside')
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
    await visit.open(link)
    await stage.look(visit, 'lost-confirm')
    await visit.click('button', 'Start the waiting time')
    await stage.look(visit, 'lost-waiting-begins')
    await atLost(stage, visit, ada)
    await stage.look(visit, 'lost-waiting')
    await visit.open(stage.link('/lost/cancel/'))
    await stage.look(visit, 'lost-cancel')
    clock.advance(RECOVERY_WAIT_SECONDS)
    await atLost(stage, visit, ada)
    await stage.look(visit, 'lost-ready')
    await visit.click('button', 'Set up a new second step')
    await stage.look(visit, 'lost-enroll-mail')
    await visit.open(stage.link('/enroll/confirm/'))
    await stage.look(visit, 'lost-enroll-confirm')
    const elsewhere = await stage.open()
    await elsewhere.open(stage.link('/enroll/confirm/'))
    await stage.look(elsewhere, 'lost-enroll-elsewhere')
    await visit.click('button', 'Continue')
    await stage.look(visit, 'lost-enroll')
    await visit.open(stage.link('/lost/cancel/'))
    await visit.click('button', 'Stop it')
    await stage.look(visit, 'lost-stopped')
    await visit.open(link)
    await stage.look(visit, 'lost-outdated')
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
    await owner.open('/account')
    await stage.look(owner, 'lost-notice')
    await owner.open('/nothing-here')
    await stage.look(owner, 'lost-notice-404')
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
    await visit.open(`/set-up/${token}`)
    await stage.look(visit, 'set-up')
    const choose = async (password: string): Promise<void> => {
      await visit.page.getByLabel('Password').fill(password)
      await visit.after(() => visit.page.locator('main button[type=submit]').click())
    }
    await choose('GraceHopper1906')
    await stage.look(visit, 'set-up-refused')
    await choose(NEW)
    await stage.look(visit, 'set-up-enroll')
    await visit.open(`/set-up/${token}`)
    await stage.look(visit, 'set-up-outdated')
  },
}

/** Scenes of getting back in. */
export const RECOVERY: readonly Scene[] = [forgotten, lostFactor, noticed, setUp]
