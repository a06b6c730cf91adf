import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Browser, type Page, PASSWORD, type Person, type World } from '../support.ts'
import {
  ADD,
  atDoor,
  CONFIRM,
  factorIds,
  pathOf,
  RECOVERY,
  SECURITY,
  withSecretOf,
  enrolled,
} from './steps.ts'

interface Lost {
  readonly world: World
  readonly person: Person
  readonly codes: readonly string[]
  readonly browser: Browser
}

/** Somebody who has lost the phone, and has signed in with the first recovery code. */
async function signedInByCode(test: TestContext): Promise<Lost> {
  const { world, person, codes } = await enrolled(test)
  const browser = await atDoor(world, person, RECOVERY)
  const page = await browser.submit(RECOVERY, { code: codes[0] ?? '' })
  assert.equal(page.location, '/account')
  return { world, person, codes, browser }
}

async function confirmBy(browser: Browser, path: string, code: string): Promise<Page> {
  await browser.open(`${CONFIRM}?return_url=${encodeURIComponent(path)}&with=recovery`)
  return browser.submit(CONFIRM, { return_url: path, password: PASSWORD, recovery_code: code })
}

describe('a sign-in with a recovery code', () => {
  it('lets its owner replace the lost authenticator at once, and sign in with the new one [FACTOR-33 RA-2101 RA-0603]', async (test) => {
    const { world, person, browser } = await signedInByCode(test)
    const replace = await pathOf({ world, person, browser }, 'replace')
    const account = await browser.open('/account')
    assert.match(account.html, /9 codes left/)
    assert.match(account.html, /Lost your phone or key\?[\s\S]*Replace the authenticator app</)
    assert.ok(account.html.includes(`href="${replace}"`))
    assert.ok((await browser.open(SECURITY)).html.includes('Lost your phone or key?'))

    const shown = await browser.open(replace)
    assert.equal(shown.status, 200)
    const renewed = withSecretOf(person, shown)
    const done = await browser.submit(replace, { label: 'New phone', code: await world.code(renewed) })
    assert.deepEqual([done.status, done.location], [303, SECURITY])
    assert.equal((await browser.open('/account')).html.includes('Lost your phone or key?'), false)

    world.clock.advance(30)
    const later = await atDoor(world, person)
    assert.equal((await later.code(await world.code(person))).status, 422, 'the lost one')
    assert.equal((await later.code(await world.code(renewed))).location, '/account')
  })

  it('counts for 300 seconds; then another recovery code confirms, once, and is told by mail [FACTOR-30 RA-1401]', async (test) => {
    const { world, person, codes, browser } = await signedInByCode(test)
    world.clock.advance(300)
    const asked = await browser.open(ADD)
    assert.match(asked.location ?? '', /^\/account\/confirm/)
    const usual = await browser.open(asked.location ?? '')
    assert.match(usual.html, /href="[^"]*with=recovery">Use a recovery code/)
    const page = await browser.open(`${asked.location ?? ''}&with=recovery`)
    assert.deepEqual(
      ['name="password"', 'name="recovery_code"', 'name="code"'].map((each) => page.html.includes(each)),
      [true, true, false],
    )

    assert.equal((await confirmBy(browser, ADD, codes[0] ?? '')).status, 422, 'used at the sign-in')
    const before = browser.sessionId
    const done = await confirmBy(browser, ADD, codes[1] ?? '')

    assert.deepEqual([done.status, done.location], [303, ADD])
    assert.notEqual(browser.sessionId, before)
    assert.equal((await browser.open(ADD)).status, 200)
    assert.equal(await world.identity.codes.left(person.id), 8)
    assert.deepEqual((await world.events(person)).slice(-3), [
      'recovery-code-refused',
      'recovery-code-used',
      'step-up-confirmed',
    ])
    const [mail] = world.mailbox.list()
    assert.deepEqual([mail?.to, mail?.subject], [person.email, 'A recovery code was used'])
    assert.match(mail?.text ?? '', /8 codes are left/)
  })

  it('removes no factor: a recovery code replaces one, and what takes away waits for the new one [FACTOR-34 RA-1701]', async (test) => {
    const { world, person, codes, browser } = await signedInByCode(test)
    const remove = await pathOf({ world, person, browser }, 'remove')
    const asked = await browser.open(remove)
    assert.match(asked.location ?? '', /^\/account\/confirm/)
    const page = await browser.open(asked.location ?? '')
    assert.match(page.html, /Replace it with a recovery code first/)
    assert.equal(page.html.includes('with=recovery'), false)

    const forced = await confirmBy(browser, remove, codes[1] ?? '')
    assert.equal(forced.status, 422)
    assert.match((await browser.submit(remove)).location ?? '', /^\/account\/confirm/)
    assert.deepEqual(
      [await world.identity.codes.left(person.id), (await factorIds(world, person)).length],
      [9, 1],
    )

    world.clock.advance(30)
    const added = withSecretOf(person, await browser.open(ADD))
    await browser.submit(ADD, { label: 'New phone', code: await world.code(added) })
    assert.equal((await browser.open(remove)).status, 200)
  })
})
