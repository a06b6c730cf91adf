/** What a process may die during. @module */
import { assertLeadsTo, type Deed, named, type Telling, withAdded } from '../../../test/crash/deed.ts'
import { atDoor, personOf as shownTo } from '../../../test/flow/steps.ts'
import { RECOVERY_WAIT_SECONDS } from '../factor-recovery.ts'
import { ask, begin, reachSetUp } from './steps.ts'

const lostFactor: Deed = {
  name: 'a new factor in place of lost ones',
  async prepare(world) {
    const ada = await world.person('ada', { factor: 'enabled' })
    await begin(world, ada)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    const other = world.browser()
    assertLeadsTo(await other.password(ada), '/login/2fa')
    const browser = await reachSetUp(world, ada)
    const added = await shownTo(world, 'ada', await browser.open('/enroll'))
    const more = { added: added.secret?.reveal() ?? '', code: await world.code(added) }
    return { browser, facts: { ...named(ada), pending: other.sessionId ?? '', ...more } }
  },
  act: (browser, { code = '' }) => browser.submit('/enroll', { code }),
  leaves: withAdded,
}

const request: Telling = {
  name: 'the request for a recovery',
  async prepare(world) {
    const ada = await world.person('ada', { factor: 'enabled' })
    return { browser: await atDoor(world, ada, '/lost'), facts: {} }
  },
  act: (browser) => browser.submit('/lost'),
}

const stopping: Telling = {
  name: 'the sign-in that stops a recovery',
  async prepare(world) {
    const ada = await world.person('ada', { factor: 'enabled' })
    await ask(world, ada)
    return { browser: await atDoor(world, ada), facts: { code: await world.code(ada) } }
  },
  act: (browser, { code = '' }) => browser.submit('/login/2fa', { code }),
}

/** Requests during which a process may die. */
export const DEEDS: readonly Deed[] = [lostFactor]

/** Further requests of which a mail tells. */
export const TELLINGS: readonly Telling[] = [request, stopping]
