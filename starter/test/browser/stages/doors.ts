/** The doors when they are locked, late or about to be required. @module */
import { demanding } from '../../demanding.ts'
import { type Person, START } from '../../support.ts'
import type { Scene, Stage } from '../stage.ts'
import type { Visit } from '../visit.ts'

const DAY_SECONDS = 24 * 60 * 60

/** Enters wrong codes until codes are paused. */
export async function lockCodes(stage: Stage, visit: Visit, who: Person): Promise<void> {
  for (let challenge = 0; challenge < 3; challenge += 1) {
    await stage.enterPassword(visit, who)
    for (let tries = 0; tries < 5; tries += 1) {
      if ((await visit.sight()).path !== '/login/2fa') break
      if ((await visit.enterCode(await stage.world.wrongCode(who))).status === 429) return
    }
  }
}

const locked: Scene = {
  name: 'locked doors',
  shows: ['/account', '/account/confirm', '/account/security', '/login/2fa/recovery'],
  async play(stage) {
    const { world } = stage
    const ada = await world.person('ada', { factor: 'enabled' })
    const [inside, outside] = [await stage.open(), await stage.open()]
    await stage.signIn(inside, ada)
    await inside.open('/account/recovery-codes')
    await inside.click('button', 'Create new codes')
    world.clock.advance(301)
    await lockCodes(stage, outside, ada)
    await stage.look(outside, 'codes-locked')
    await stage.enterPassword(outside, ada)
    await stage.show(outside, '/login/2fa/recovery', 'recovery-beside-locked')
    await stage.show(inside, '/account/security', 'security-locked')
    await stage.show(inside, '/account/password', 'confirm-beside-locked')
    await inside.page.getByLabel('Password').fill('wrong')
    await inside.page.getByLabel('Six-digit code').fill('000000')
    await inside.click('button', 'Confirm')
    await stage.look(inside, 'confirm-locked')
    await stage.show(inside, '/account', 'account-warned')
  },
}

const late: Scene = {
  name: 'doors that were left open too long',
  shows: ['/login', '/enroll', '/enroll/confirm/{token}', '/account'],
  options: demanding({ holders: 'reports.read', from: Date.parse(START) / 1000 + 14 * DAY_SECONDS }),
  async play(stage) {
    const { world } = stage
    const ada = await world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    await stage.enterPassword(visit, ada)
    world.clock.advance(301)
    await visit.enterCode(await world.code(ada))
    await stage.look(visit, 'challenge-expired')
    await stage.signIn(visit, ada)
    world.clock.advance(31 * 60)
    await stage.show(visit, '/account', 'session-expired')
    const newcomer = await world.person('eve', { permissions: ['reports.read'] })
    const other = await stage.open()
    await stage.signIn(other, newcomer)
    await stage.look(other, 'duty')
    world.clock.advance(14 * DAY_SECONDS)
    await stage.enterPassword(other, newcomer)
    await stage.look(other, 'duty-mail')
    await stage.show(other, stage.link('/enroll/confirm/'), 'duty-link')
    await other.click('button', 'Continue')
    await stage.look(other, 'duty-enroll')
    world.clock.advance(901)
    await other.page.getByLabel('First code').fill('000000')
    await other.click('button', 'Continue')
    await stage.look(other, 'enroll-expired')
  },
}

const signUpLimits: Scene = {
  name: 'signing up too often',
  shows: ['/sign-up', '/sign-up/sent', '/sign-up/confirm/{token}'],
  async play(stage) {
    const visit = await stage.open()
    const ask = async (email: string): Promise<void> => {
      await visit.open('/sign-up')
      await visit.page.getByLabel('Email address').fill(email)
      await visit.click('button', 'Send the link')
    }
    await ask('ada@host')
    await stage.look(visit, 'sign-up-refused')
    await stage.show(visit, '/sign-up', 'sign-up-plain')
    for (let asked = 0; asked < 6; asked += 1) {
      await ask('grace@example.test')
      if (asked === 0) await stage.look(visit, 'sign-up-sent')
    }
    await stage.look(visit, 'sign-up-429')
    await stage.show(visit, stage.link('/sign-up/confirm/'), 'sign-up-confirm')
  },
}

/** Scenes of the doors. */
export const DOORS: readonly Scene[] = [locked, late, signUpLimits]
