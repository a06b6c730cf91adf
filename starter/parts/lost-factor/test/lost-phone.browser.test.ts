import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Authenticator } from '../../../test/crash/starter-process.ts'
import { missingBrowser } from '../../../test/browser/chromium.ts'
import { World } from '../../../test/browser/world.ts'

const skip = missingBrowser ?? false

describe('a lost phone in a browser', { skip }, () => {
  const world = new World()

  it('sign in with a recovery code, replace the authenticator, sign in with the new one [FACTOR-33 RA-2101]', async (test) => {
    const { starter, visit: open } = await world.start(test)
    const visit = await open()
    const { demo } = starter
    await visit.open('/login')
    await visit.enterPassword(demo)
    await visit.enterCode(await new Authenticator(demo).next())
    await visit.open('/account/recovery-codes')
    await visit.click('button', 'Create new codes')
    const codes = await visit.page.locator('.codes code').allInnerTexts()
    assert.equal(codes.length, 10)
    await visit.open('/account')
    await visit.click('button', 'Sign out')

    await visit.open('/login')
    await visit.enterPassword(demo)
    await visit.click('link', 'Lost access to your second step?')
    await visit.click('link', 'Use a recovery code')
    await visit.page.getByLabel('Recovery code').fill(codes[0] ?? '')
    const account = await visit.click('button', 'Sign in')
    assert.equal(account.path, '/account')
    const replace = visit.page.getByRole('link', { name: /^Replace the authenticator/ })
    const setup = await visit.after(() => replace.click())
    assert.equal(setup.heading, 'Replace a second step')
    const key = (await visit.page.locator('code.secret').innerText()).replaceAll(' ', '')
    const phone = new Authenticator({ ...demo, secret: key })
    await visit.page.getByLabel('First code').fill(await phone.next())
    const done = await visit.click('button', 'Continue')
    assert.match(done.notice, /Second step replaced/)
    await visit.click('button', 'Sign out')

    await visit.open('/login')
    await visit.enterPassword(demo)
    assert.equal((await visit.enterCode(await phone.next())).path, '/account')
    assert.equal(await visit.page.getByText('Lost your phone or key?').count(), 0)
  })
})
