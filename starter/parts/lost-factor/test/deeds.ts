/** What a process may die during. @module */
import assert from 'node:assert/strict'
import {
  assertLeadsTo,
  assertRefused,
  assertSignsIn,
  browserWith,
  type Deed,
  linkIn,
  named,
  personOf,
  type Telling,
} from '../../../test/crash/deed.ts'
import { codesOf, personOf as shownTo } from '../../../test/flow/steps.ts'
import type { Browser, Person, World } from '../../../test/support.ts'
import { RECOVERY_WAIT_SECONDS } from '../factor-recovery.ts'

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

async function askedFor(world: World): Promise<Person> {
  const ada = await world.person('ada', { factor: 'enabled' })
  const browser = world.browser()
  await browser.password(ada)
  await submit(browser, '/lost')
  return ada
}

const request: Telling = {
  name: 'the request for a recovery',
  async prepare(world) {
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.password(ada)
    await browser.open('/lost')
    return { browser, facts: {} }
  },
  act: (browser) => browser.submit('/lost'),
}

const confirmation: Telling = {
  name: 'the link that confirms a recovery',
  async prepare(world) {
    await askedFor(world)
    const link = linkIn(world, /\/lost\/confirm\/[\w-]{43}/)
    const browser = world.browser()
    await browser.open(link)
    return { browser, facts: { link } }
  },
  act: (browser, { link = '' }) => browser.submit(link),
}

const stopping: Telling = {
  name: 'the sign-in that stops a recovery',
  async prepare(world) {
    const ada = await askedFor(world)
    const browser = world.browser()
    await browser.password(ada)
    await browser.open('/login/2fa')
    return { browser, facts: { code: await world.code(ada) } }
  },
  act: (browser, { code = '' }) => browser.submit('/login/2fa', { code }),
}

/** Requests during which a process may die. */
export const DEEDS: readonly Deed[] = [lostFactor]

/** Further requests of which a mail tells. */
export const TELLINGS: readonly Telling[] = [request, confirmation, stopping]
