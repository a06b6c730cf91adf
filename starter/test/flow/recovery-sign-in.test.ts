import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Browser, type Page, PASSWORD } from '../support.ts'
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

/** Somebody who has lost the phone, and has signed in with the first recovery code. */
async function signedInByCode(test: TestContext): Promise<Awaited<ReturnType<typeof enrolled>>> {
  const owner = await enrolled(test)
  const browser = await atDoor(owner.world, owner.person, RECOVERY)
  assert.equal((await browser.submit(RECOVERY, { code: owner.codes[0] ?? '' })).location, '/account')
  return { ...owner, browser }
}

async function confirmBy(browser: Browser, path: string, code: string): Promise<Page> {
  await browser.open(`${CONFIRM}?return_url=${encodeURIComponent(path)}&with=recovery`)
  return browser.submit(CONFIRM, { return_url: path, password: PASSWORD, recovery_code: code })
}

describe('a sign-in with a recovery code', () => {
  it('lets its owner replace the lost authenticator at once, and sign in with the new one [FACTOR-33 RA-2101 RA-0603]', async (test) => {
    const owner = await signedInByCode(test)
    const { world, person, browser } = owner
    const replace = await pathOf(owner, 'replace')
    const account = await browser.open('/account')
    assert.match(account.html, /9 codes left/)
    assert.ok(account.html.includes(`href="${replace}"`))

    const renewed = withSecretOf(person, await browser.open(replace))
    const done = await browser.submit(replace, { label: 'New phone', code: await world.code(renewed) })
    assert.deepEqual([done.status, done.location], [303, SECURITY])
    assert.equal((await browser.open('/account')).html.includes('/replace"'), false)

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
    assert.match((await browser.open(asked.location ?? '')).html, /href="[^"]*with=recovery">/)
    const { html } = await browser.open(`${asked.location ?? ''}&with=recovery`)
    const typed = [...html.matchAll(/name="(password|recovery_code|code)"/g)].map(([, name]) => name)
    assert.deepEqual(typed, ['password', 'recovery_code'])

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
    const owner = await signedInByCode(test)
    const { world, person, codes, browser } = owner
    const remove = await pathOf(owner, 'remove')
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
