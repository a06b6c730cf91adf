import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { missing } from '../../../test/facts-of-parts.ts'
import { generate } from 'otplib/functional'
import { HOTP_LOOK_AHEAD } from '../counter-codes.ts'
import { type Browser, type Page, PASSWORD, type Person, World } from '../../../test/support.ts'
import {
  ADD,
  atDoor,
  codesOf,
  CONFIRM,
  DOOR,
  pathOf,
  SECURITY,
  signedIn,
  withSecretOf,
} from '../../../test/flow/steps.ts'

const ADD_COUNTER = '/account/security/add?kind=hotp'

interface Owner {
  readonly world: World
  readonly person: Person
  readonly browser: Browser
  /** The page that came back when it was added. */
  readonly page: Page
}

/** A code of a device whose button was pressed so often before. */
function press(person: Person, counter: number): Promise<string> {
  assert.ok(person.secret !== undefined)
  return generate({ strategy: 'hotp', secret: person.secret.reveal(), counter })
}

/** Somebody who is signed in and has added a code generator, whose counter 0 is used. */
async function withGenerator(
  test: TestContext,
  options: Parameters<World['person']>[1] = {},
): Promise<Owner> {
  const { world, person: ada, browser } = await signedIn(test, options, { hotp: true })
  const person = withSecretOf(ada, await browser.open(ADD_COUNTER))
  const page = await browser.submit(ADD_COUNTER, { label: 'Token', code: await press(person, 0) })
  return { world, person, browser, page }
}

/** Sends a code through the second door. */
async function enter({ world, person }: Owner, code: string): Promise<Page> {
  return (await atDoor(world, person)).submit(DOOR, { code })
}

/** Sends password and code to a page that asks for proofs again. */
async function prove(browser: Browser, path: string, code: string): Promise<Page> {
  await browser.open(`${CONFIRM}?return_url=${path}`)
  return browser.submit(CONFIRM, { return_url: path, password: PASSWORD, code })
}

describe('a code generator with a counter', () => {
  it('is offered as the lesser choice, shows its secret once it counts for nothing, and is proven by its first code [FACTOR-08]', async (test) => {
    const { world, person: ada, browser } = await signedIn(test, {}, { hotp: true })
    const offer = await browser.open(ADD)
    assert.match(offer.html, /because it has no clock\?\s*<a href="\/account\/security\/add\?kind=hotp">/)

    const shown = await browser.open(ADD_COUNTER)
    const person = withSecretOf(ada, shown)
    assert.equal(await world.identity.secondFactors.isRequired(ada.id), false)
    const refused = await browser.submit(ADD_COUNTER, { label: 'Token', code: await press(person, 50) })
    assert.equal(refused.status, 422)
    assert.equal(await world.identity.secondFactors.isRequired(ada.id), false)

    const page = await browser.submit(ADD_COUNTER, { label: 'Token', code: await press(person, 0) })

    assert.equal(codesOf(page).length, 10)
    const [factor] = await world.identity.factors.list(ada.id)
    assert.deepEqual([factor?.kind, factor?.label], ['hotp', 'Token'])
  })

  it('looks ahead five counters, keeps the one that matched, and accepts no code of it or of an earlier one, ever [FACTOR-08 RA-2703]', async (test) => {
    assert.equal(HOTP_LOOK_AHEAD, 5)
    const owner = await withGenerator(test)
    const { world, person } = owner
    assert.equal((await enter(owner, await press(person, 6))).status, 422)

    // Skips some: the button was pressed in a pocket.
    assert.equal((await enter(owner, await press(person, 5))).location, '/account')

    for (const [counter, seconds] of [
      [5, 0],
      [4, 30],
      [1, 3600],
      [0, -7200],
    ] as const) {
      world.clock.advance(seconds)
      assert.equal((await enter(owner, await press(person, counter))).status, 422, String(counter))
    }
    assert.equal((await enter(owner, await press(person, 6))).location, '/account')
  })

  it('takes a code once, of fifty logins at once, and afterwards neither at the door nor at a step-up [FACTOR-08 FACTOR-05 FACTOR-06 RA-2502 RA-2702]', async (test) => {
    const owner = await withGenerator(test)
    const { world, person, browser } = owner
    const code = await press(person, 1)
    const browsers: Browser[] = []
    for (let count = 0; count < 50; count += 1) browsers.push(await atDoor(world, person))

    const pages = await Promise.all(browsers.map((each) => each.submit(DOOR, { code })))

    assert.equal(pages.filter(({ location }) => location === '/account').length, 1)
    world.clock.advance(15 * 60)
    assert.equal((await prove(browser, ADD, code)).status, 422)
    const next = await press(person, 2)
    assert.equal((await prove(browser, ADD, next)).location, ADD)
    assert.equal((await enter(owner, next)).status, 422)
    assert.deepEqual(world.faults, [])
  })

  it('is asked for beside an app, and the page says what to press [RA-0301 RA-0302]', async (test) => {
    const { world, person, page } = await withGenerator(test, { factor: 'enabled' })
    assert.equal(page.location, SECURITY)
    const browser = await atDoor(world, person)

    const { html } = await browser.open(DOOR)
    const next = await browser.submit(DOOR, { code: await press(person, 1) })

    assert.match(html, /Press the button of your code generator/)
    assert.match(html, /Open your authenticator app/)
    assert.equal(next.location, '/account')
    if (!missing('sessions')) assert.match((await browser.open('/account/sessions')).html, /code generator/)
  })
})

describe('what handles authenticators', () => {
  it('replaces and removes a code generator [FACTOR-28 RA-1701]', async (test) => {
    const owner = await withGenerator(test)
    const { world, person, browser } = owner
    const replace = await pathOf(owner, 'replace')

    const next = withSecretOf(person, await browser.open(replace))
    await browser.submit(replace, { label: 'New', code: await press(next, 0) })

    const [factor, ...others] = await world.identity.factors.list(person.id)
    assert.deepEqual([factor?.kind, factor?.label, others], ['hotp', 'New', []])
    assert.equal((await enter(owner, await press(person, 1))).status, 422)
    assert.equal((await enter(owner, await press(next, 1))).location, '/account')
    assert.equal((await browser.send(await pathOf(owner, 'remove'))).location, SECURITY)
    assert.equal(await world.identity.secondFactors.isRequired(person.id), false)
  })

  it('is offered to nobody unless it is switched on, and counts where it was added before [FACTOR-08]', async (test) => {
    const { world, person } = await withGenerator(test)
    const later = await World.open(test, world.directory)
    const browser = await atDoor(later, person)
    assert.equal((await browser.submit(DOOR, { code: await press(person, 1) })).location, '/account')

    const page = await browser.open(ADD_COUNTER)

    assert.match(page.html, /Add an authenticator app/)
    assert.doesNotMatch(page.html, /kind=hotp/)
  })
})
