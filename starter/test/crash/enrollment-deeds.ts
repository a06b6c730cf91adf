/** The first factor of an account, and the one that replaces lost ones. @module */
import assert from 'node:assert/strict'
import { codesOf, enroll, newestLink, personOf as shownTo, signUp } from '../flow/newcomer.ts'
import { RECOVERY_WAIT_SECONDS } from '../../identity/recovery/factor-recovery.ts'
import { type Browser, PASSWORD, type Person, type World } from '../support.ts'
import {
  assertLeadsTo,
  assertRefused,
  assertSignsIn,
  browserWith,
  type Deed,
  linkIn,
  named,
  personOf,
} from './deed.ts'

const EMAIL = 'ada@example.test'

const confirmation: Deed = {
  name: 'the link of a sign-up',
  async prepare(world) {
    const browser = world.browser()
    await browser.open('/sign-up')
    await browser.submit('/sign-up', { email: EMAIL })
    const link = newestLink(world)
    await browser.open(link)
    return { browser, facts: { id: '', email: EMAIL, secret: '', link } }
  },
  act: (browser, { link = '' }) => browser.submit(link, { name: 'ada', password: PASSWORD }),
  async resume({ world, browser, facts: { link = '' }, isDone }) {
    assert.equal((await browser.open(link)).status, isDone ? 410 : 200)
    if (!isDone) {
      assertLeadsTo(await browser.submit(link, { name: 'ada', password: PASSWORD }), '/enroll')
      assert.equal((await world.browser().open(link)).status, 410)
    }
    assert.equal(await browser.isSignedIn(), false)
    assertLeadsTo(await world.browser().password({ email: EMAIL }), '/account')
  },
}

const firstProof: Deed = {
  name: 'the first code of an enrollment',
  async prepare(world) {
    const browser = world.browser()
    const person = await shownTo(world, 'ada', await signUp(world, browser, 'ada'))
    const other = world.browser()
    assertLeadsTo(await other.password(person), '/account')
    const facts = { ...named(person), other: other.sessionId ?? '', code: await world.code(person) }
    return { browser, facts }
  },
  act: (browser, { code = '' }) => browser.submit('/enroll', { code }),
  async resume({ world, browser, person, facts: { code = '' }, isDone }) {
    const page = await browser.open('/enroll')
    if (!isDone) {
      assert.equal((await shownTo(world, 'ada', page)).secret?.reveal(), person.secret?.reveal())
      assert.equal(codesOf(await browser.submit('/enroll', { code })).length, 10)
      assertLeadsTo(await browser.submit('/enroll/done'), '/account')
    }
    assert.equal(await world.identity.codes.left(person.id), 10)
    await assertRefused(world, person, { code })
    await assertSignsIn(world, person)
  },
}

const done: Deed = {
  name: 'the end of an enrollment',
  signsIn: true,
  async prepare(world) {
    const browser = world.browser()
    const { person } = await enroll(world, browser, 'ada')
    await browser.open('/enroll')
    return { browser, facts: named(person) }
  },
  act: (browser) => browser.submit('/enroll/done'),
  async resume({ world, browser, person, isDone }) {
    const page = await browser.open('/enroll')
    if (page.status === 200)
      assertLeadsTo(await browser.submit('/enroll/done'), isDone ? '/login' : '/account')
    else assert.equal(isDone, true)
    await assertSignsIn(world, person)
  },
}

const lostFactor: Deed = {
  name: 'a new factor in place of lost ones',
  async prepare(world) {
    const ada = await world.person('ada', { factor: 'enabled' })
    await beginRecovery(world, ada)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    const other = world.browser()
    assertLeadsTo(await other.password(ada), '/login/2fa')
    const browser = await reachSetUp(world, ada)
    const added = await shownTo(world, 'ada', await browser.open('/enroll'))
    const more = { added: added.secret?.reveal() ?? '', code: await world.code(added) }
    return { browser, facts: { ...named(ada), pending: other.sessionId ?? '', ...more } }
  },
  act: (browser, { code = '' }) => browser.submit('/enroll', { code }),
  async resume({ world, browser, person, facts, isDone }) {
    const { code = '', added = '', pending = '' } = facts
    const present = { ...person, secret: personOf({ secret: added }).secret }
    const door = await browserWith(world, pending).open('/login/2fa')
    assert.equal(door.status, isDone ? 303 : 200, 'a pending login ends with the old factors')
    if (!isDone) {
      // The old factor is in its place until then.
      assert.equal(await world.identity.secondFactors.isRequired(person.id), true)
      await browser.open('/enroll')
      assert.equal(codesOf(await browser.submit('/enroll', { code })).length, 10)
    }
    assert.equal((await world.identity.factors.list(person.id)).length, 1)
    await assertRefused(world, person, { code: await world.code(person) })
    await assertRefused(world, person, { code })
    await assertSignsIn(world, present)
  },
}

async function submit(browser: Browser, path: string): Promise<string | null> {
  await browser.open(path)
  return (await browser.submit(path)).location
}

async function beginRecovery(world: World, person: Person): Promise<void> {
  const browser = world.browser()
  await browser.password(person)
  assert.equal(await submit(browser, '/lost'), '/lost')
  await submit(world.browser(), linkIn(world, /\/lost\/confirm\/[\w-]{43}/))
}

async function reachSetUp(world: World, person: Person): Promise<Browser> {
  const browser = world.browser()
  await browser.password(person)
  await browser.open('/lost')
  assert.equal((await browser.submit('/lost/continue')).location, '/enroll')
  assert.equal(await submit(browser, linkIn(world, /\/enroll\/confirm\/[\w-]{43}/)), '/enroll')
  return browser
}

/** Enrollments. */
export const ENROLLMENTS: readonly Deed[] = [confirmation, firstProof, done, lostFactor]
