/** Trusted browsers: the box at the second door, and the list. @module */
import { PARTS } from '../../../parts.ts'
import type { Scene, Stage } from '../../../test/browser/stage.ts'
import type { Visit } from '../../../test/browser/visit.ts'
import { DAYS } from './steps.ts'

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

async function tick(visit: Visit): Promise<void> {
  await visit.page.locator('input[name=trust]').check()
}

async function trust(stage: Stage, visit: Visit, person: Parameters<Stage['code']>[0]): Promise<void> {
  await stage.enterPassword(visit, person)
  await tick(visit)
  await visit.enterCode(await stage.code(person))
}

// The pages of parts that name how somebody signed in.
const LISTS = ['sessions', 'activity'].filter((name) => PARTS.some((part) => part.name === name))

const trusted: Scene = {
  name: 'trusted browsers',
  shows: ['/login/2fa', '/account/security', ...LISTS.map((list) => `/account/${list}`)],
  options: { trustedDeviceDays: DAYS },
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const [visit, phone] = [await stage.open(), await stage.open({ userAgent: PHONE })]
    await stage.enterPassword(visit, ada)
    await stage.look(visit, 'device-challenge')
    await tick(visit)
    await visit.enterCode(await stage.world.wrongCode(ada))
    await stage.look(visit, 'device-challenge-refused')
    await visit.enterCode(await stage.code(ada))
    await stage.show(visit, '/account/security', 'device-none')
    await visit.page.context().clearCookies()
    await trust(stage, visit, ada)
    await stage.show(visit, '/account/security', 'device-one')
    await trust(stage, phone, ada)
    await stage.show(visit, '/account/security', 'device-several')
    await phone.page.locator('form[action="/logout"] button').first().click()
    await stage.enterPassword(phone, ada)
    for (const list of LISTS) await stage.show(phone, `/account/${list}`, `device-${list}`)
    await visit.open('/account/security')
    await visit.after(() => visit.page.locator('form[action$="/revoke"] button').first().click())
    await stage.look(visit, 'device-removed')
  },
}

/** Scenes of trusted browsers. */
export const SCENES: readonly Scene[] = [trusted]
