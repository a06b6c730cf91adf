import type { Scene } from '../../../test/browser/stage.ts'
import { lockCodes } from '../../../test/browser/stages/doors.ts'
import { AUTHENTICATOR_LIMIT } from '../../../core/limits/limits.ts'
import type { Telling } from '../../../test/crash/deed.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import { linkIn } from '../../../test/flow/steps.ts'
import { UNLOCK_LINK_SECONDS, UnlockLinks } from '../unlock-links.ts'

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

const unlock: Telling = {
  name: 'the link that unlocks a browser',
  async prepare(world) {
    const ada = await world.person('ada', { factor: 'enabled' })
    for (let times = 0; times < AUTHENTICATOR_LIMIT.failures; times += 1) {
      const guesser = world.browser()
      await guesser.password(ada)
      await guesser.code(await world.wrongCode(ada))
    }
    const link = linkIn(world, '/unlock/')
    const browser = world.browser()
    await browser.open(link)
    return { browser, facts: { link } }
  },
  act: (browser, { link = '' }) => browser.submit(link),
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  scenes: [unlocking],
  tellings: [unlock],
  openings: {
    'the link that unlocks a browser': async (world, { id }) => {
      const links = world.app.get(UnlockLinks)
      const client = { clientAddress: '', device: '' }
      const factor = { kind: 'totp' } as const
      const lock = { accountId: id, factor, seconds: 900, client, challengeId: '' }
      const begin = world.database.transaction()
      const made = await begin.execute((within) => links.begin(within, lock))
      const token = made?.path.split('/').at(-1) ?? ''
      return { lifetimeSeconds: UNLOCK_LINK_SECONDS, isOpen: () => links.isOpen(token) }
    },
  },
  links: {
    'POST /unlock/{token}':
      'lets this browser try codes although the factor is locked; password and code are asked for as always',
  },
  notices: { 'factor-unlocked': null },
  lists: { factor_unlock: 'expires' },
}
