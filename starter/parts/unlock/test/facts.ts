import type { Scene } from '../../../test/browser/stage.ts'
import { lockCodes } from '../../../test/browser/stages/doors.ts'
import { AUTHENTICATOR_LIMIT } from '../../../core/limits/limits.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import { UNLOCK_LINK_SECONDS } from '../unlock-links.ts'

const unlocking: Scene = {
  name: 'a locked factor, and the link of the mail about it',
  shows: ['/login/2fa', '/unlock/{token}'],
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    await lockCodes(stage, visit, ada)
    await stage.enterPassword(visit, ada)
    await stage.show(visit, '/login/2fa', 'challenge-locked')
    const link = stage.link('/unlock/')
    await stage.show(visit, link, 'unlock')
    await stage.press(visit, 'Unlock', 'challenge-unlocked')
    await stage.show(visit, link, 'unlock-outdated')
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  scenes: [unlocking],
  mailLinks: {
    'the link that unlocks a browser': {
      clauses: '[RA-0802 RA-0803 RA-2502]',
      start: '/unlock/',
      does: 'lets this browser try codes although the factor is locked; password and code are asked for as always',
      async make(world, browser) {
        const ada = await world.person('ada', { factor: 'enabled' })
        for (let times = 0; times < AUTHENTICATOR_LIMIT.failures; times += 1) {
          const guesser = world.browser()
          await guesser.password(ada)
          await guesser.code(await world.wrongCode(ada))
        }
        await browser.password(ada)
        return ada
      },
      event: 'factor-unlocked',
      table: 'factor_unlock',
      seconds: UNLOCK_LINK_SECONDS,
      opens: true,
      endsWith: 'credentials',
      gains: ['unlocked'],
    },
  },
  notices: { 'factor-unlocked': null },
  lists: { factor_unlock: 'expires' },
}
