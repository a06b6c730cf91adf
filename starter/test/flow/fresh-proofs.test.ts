import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missing } from '../facts-of-parts.ts'
import { STEP_UP_SECONDS } from '../../core/step-up/step-up-rule.ts'
import { demanding } from '../demanding.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { codesOf, enroll, newestLink, personOf } from './newcomer.ts'
import { CONFIRM } from './step-up-steps.ts'

const CODES = '/account/recovery-codes'

/** What the page of a protected action asks for before it opens. */
async function asked(browser: Browser): Promise<readonly string[]> {
  const { status, location } = await browser.open(CODES)
  if (status === 200) return []
  assert.ok(location?.startsWith(CONFIRM), String(location))
  const { html } = await browser.open(location ?? '')
  return ['password', 'code'].filter((name) => html.includes(`name="${name}"`))
}

async function post(browser: Browser, path: string): Promise<Page> {
  await browser.open(path)
  return browser.submit(path)
}

/** The link of the mail, the first code, and the recovery codes: up to the last click. */
async function setUp(world: World, browser: Browser, name: string): Promise<Person> {
  assert.equal((await post(browser, newestLink(world))).location, '/enroll')
  const person = await personOf(world, name, await browser.open('/enroll'))
  assert.equal(codesOf(await browser.submit('/enroll', { code: await world.code(person) })).length, 10)
  return person
}

describe('what an enrollment has proven', () => {
  it('after signing up counts for 300 seconds each, from when it was typed [RA-1401 FACTOR-30 FACTOR-28]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await enroll(world, browser, 'eve')
    world.clock.advance(100)
    assert.equal((await browser.submit('/enroll/done')).location, '/account')

    assert.deepEqual(await asked(browser), [])
    if (!missing('sessions'))
      assert.match((await browser.open('/account/sessions')).html, /password \+ authenticator app/)
    world.clock.advance(STEP_UP_SECONDS - 101)
    assert.deepEqual(await asked(browser), [])
    world.clock.advance(1)
    assert.deepEqual(await asked(browser), ['password', 'code'])
  })

  it('an old password counts no more beside a fresh first code [RA-1401 FACTOR-28]', async (test) => {
    const world = await World.create(test, demanding())
    const ada = await world.person('ada')
    const browser = world.browser()
    assert.equal((await browser.password(ada)).location, '/enroll')
    world.clock.advance(200)
    await setUp(world, browser, 'ada')
    world.clock.advance(99)
    assert.equal((await browser.submit('/enroll/done')).location, '/account')

    assert.deepEqual(await asked(browser), [])
    world.clock.advance(1)
    assert.deepEqual(await asked(browser), ['password'])
    world.clock.advance(200)
    assert.deepEqual(await asked(browser), ['password', 'code'])
  })
})
