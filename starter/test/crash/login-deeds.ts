/** The uses of a factor. @module */
import assert from 'node:assert/strict'
import { enroll } from '../flow/newcomer.ts'
import { signedInOwner } from './change-deeds.ts'
import { CONFIRM } from '../flow/step-up-steps.ts'
import { PASSWORD, type Person, type World } from '../support.ts'
import { assertLeadsTo, assertRefused, assertSignsIn, type Deed, named, type Ready } from './deed.ts'

const DOOR = '/login/2fa'
const RECOVERY = '/login/2fa/recovery'

async function atDoor(world: World, person: Person, path: string): Promise<Ready> {
  const browser = world.browser()
  assertLeadsTo(await browser.password(person), DOOR)
  await browser.open(path)
  return { browser, facts: named(person) }
}

const totp: Deed = {
  name: 'a code of the authenticator',
  isSilent: true,
  signsIn: true,
  async prepare(world) {
    const ada = await world.person('ada', { factor: 'enabled' })
    const { browser, facts } = await atDoor(world, ada, DOOR)
    return { browser, facts: { ...facts, code: await world.code(ada) } }
  },
  act: (browser, { code = '' }) => browser.submit(DOOR, { code }),
  async resume({ world, browser, person, facts: { code = '' }, isDone }) {
    const page = await browser.open(DOOR)
    if (page.status === 200)
      assertLeadsTo(await browser.submit(DOOR, { code }), isDone ? '/login' : '/account')
    else assert.equal(isDone, true)
    await assertRefused(world, person, { code })
    await assertSignsIn(world, person)
  },
}

const recoveryCode: Deed = {
  name: 'a recovery code',
  signsIn: true,
  async prepare(world) {
    const { person, codes } = await enroll(world, world.browser(), 'ada')
    const { browser, facts } = await atDoor(world, person, RECOVERY)
    const [code = '', next = ''] = codes
    return { browser, facts: { ...facts, code, next } }
  },
  act: (browser, { code = '' }) => browser.submit(RECOVERY, { code }),
  async resume({ world, browser, person, facts: { code = '', next = '' }, isDone }) {
    const page = await browser.open(RECOVERY)
    if (page.status === 200)
      assertLeadsTo(await browser.submit(RECOVERY, { code }), isDone ? '/login' : '/account')
    else assert.equal(isDone, true)
    await assertRefused(world, person, { code, path: RECOVERY })
    assert.equal(await world.identity.codes.left(person.id), 9)
    const { browser: later } = await atDoor(world, person, RECOVERY)
    assertLeadsTo(await later.submit(RECOVERY, { code: next }), '/account')
  },
}

const stepUp: Deed = {
  name: 'a code at a step-up',
  isSilent: true,
  async prepare(world) {
    const { browser, person } = await signedInOwner(world)
    world.clock.advance(300)
    await browser.open(`${CONFIRM}?return_url=%2Faccount%2Fpassword`)
    return { browser, facts: { ...named(person), code: await world.code(person) } }
  },
  act: (browser, { code = '' }) =>
    browser.submit(CONFIRM, { return_url: '/account/password', password: PASSWORD, code }),
  async resume({ world, browser, person, facts: { code = '' }, isDone }) {
    const suspended = await browser.open('/account/password')
    // The proof is in a session whose cookie never came.
    assert.notEqual(suspended.status, 200)
    if (isDone) await assertRefused(world, person, { code })
    const owner = (await browser.isSignedIn()) ? browser : await assertSignsIn(world, person)
    if (owner === browser) {
      world.clock.advance(30)
      await browser.open(`${CONFIRM}?return_url=%2Faccount%2Fpassword`)
      const fields = { password: PASSWORD, code: await world.code(person) }
      assertLeadsTo(
        await browser.submit(CONFIRM, { return_url: '/account/password', ...fields }),
        '/account/password',
      )
    }
    assert.equal((await owner.open('/account/password')).status, 200)
  },
}

/** The uses of a factor. */
export const LOGINS: readonly Deed[] = [totp, recoveryCode, stepUp]
