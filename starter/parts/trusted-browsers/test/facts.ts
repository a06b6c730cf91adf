import type { Telling } from '../../../test/crash/deed.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import { atDoor, DOOR, leave } from '../../../test/flow/steps.ts'
import { type Browser, PASSWORD, type World } from '../../../test/support.ts'
import { SCENES } from './scenes.ts'
import { DAYS } from './steps.ts'

async function waiting(world: World): Promise<{ readonly browser: Browser; readonly code: string }> {
  const ada = await world.person('ada', { factor: 'enabled' })
  return { browser: await atDoor(world, ada), code: await world.code(ada) }
}

const trusting: Telling = {
  name: 'a browser that is trusted from now on',
  async prepare(world) {
    const { browser, code } = await waiting(world)
    return { browser, facts: { code } }
  },
  act: (browser, { code = '' }) => browser.submit(DOOR, { code, trust: '1' }),
}

const copied: Telling = {
  name: 'the second use of the token of a trusted browser',
  async prepare(world) {
    const { browser, code } = await waiting(world)
    await browser.submit(DOOR, { code, trust: '1' })
    await leave(browser)
    const copy = browser.twin()
    await browser.password({ email: 'ada@example.test' })
    await copy.open('/login')
    return { browser: copy, facts: {} }
  },
  act: (browser) => browser.submit('/login', { email: 'ada@example.test', password: PASSWORD }),
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  switches: { TRUSTED_DEVICES: 'trusted browsers for 30 days' },
  malformed: {
    TRUSTED_DEVICES: ['yes'],
    TRUSTED_DEVICE_DAYS: ['0', '91', '1.5', 'month', '0x10', ' 5'],
  },
  settings: { trustedDeviceDays: DAYS },
  scenes: SCENES,
  tellings: [trusting, copied],
  waysIn: {
    'password in a trusted browser, only in an installation with `TRUSTED_DEVICES=1`': {
      route: 'POST /login',
      proves:
        'the password, and that this browser passed the second step of the account within the days that the installation grants, by a cookie that is used up and replaced; and neither password nor factors of the account were changed since, nor a recovery code used',
      skips:
        'the second factor, which is why it is off by default and its owner ticks a box at the second step. It never stands in for an account with a rule about factors, nor while a factor is locked. It proves no factor: protected actions require one, and a pending recovery or reset continues',
    },
  },
  free: {
    '/account/security/devices/revoke-all': 'takes access away: the second step is required again',
    '/account/security/devices/seven/revoke': 'takes access away: the second step is required again',
  },
  fields: { trust: { type: 'checkbox', autocomplete: '', inputmode: '' } },
  lists: { trusted_browser: 'expires' },
  notices: {
    'device-trusted': { device: { id: 'device.unknown' }, until: { at: 1_769_817_600 } },
    'device-replayed': { device: { id: 'device.unknown' } },
  },
}
