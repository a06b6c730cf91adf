import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missingBrowser } from '../../../test/browser/chromium.ts'
import { Stage } from '../../../test/browser/stage.ts'
import { World } from '../../../test/browser/world.ts'
import { hurryPasskeys, VirtualKey } from 'sallyport-app/testing/authenticators'

const skip = missingBrowser ?? false
const PASSWORD = 'a quiet orchard in the rain'

describe('signing up with a passkey in a browser', { skip }, () => {
  const world = new World()

  it('from the link to the account, out and in again, and to a first password, with nothing typed but a name [RA-2903 RA-2901]', () =>
    Stage.use(world.browser, async (stage) => {
      const visit = await stage.open()
      const { page } = visit
      const key = await VirtualKey.plugIn(visit)
      await visit.open('/sign-up')
      await page.getByLabel('Email address').fill('grace@example.test')
      await visit.click('button', 'Send the link')
      await visit.open(stage.link('/sign-up/confirm/'))
      await visit.click('link', 'Create a passkey instead of a password')
      await page.getByLabel('Your name').fill('Grace Hopper')
      await key.verify(false)
      await page.getByRole('button', { name: 'Create the account' }).click()
      await page.getByRole('alert').waitFor()
      await key.verify(true)

      await visit.click('button', 'Create the account')

      assert.equal(await page.locator('.codes code').count(), 10)
      assert.equal((await visit.click('button', "I've saved them")).path, '/account')
      const [kept] = await key.credentials()
      assert.equal(kept?.isResidentCredential, true)
      // The login page lists passkeys at once, and the authenticator would answer by itself.
      await key.answer(false)
      await visit.click('button', 'Sign out')
      await hurryPasskeys(page)
      await visit.open('/login')
      await key.answer(true)
      await visit.click('button', 'Sign in with a passkey')
      assert.equal((await visit.sight()).path, '/account')
      stage.world.clock.advance(300)
      await key.answer(false)
      await visit.open('/account/security')
      await visit.click('link', 'Set a password')
      assert.equal(await page.getByLabel('Password').count(), 0)
      await key.answer(true)
      assert.equal((await visit.click('button', 'Confirm with a passkey')).path, '/account/password')
      await page.getByLabel('New password').fill(PASSWORD)
      assert.match((await visit.click('button', 'Set a password')).notice, /Password changed/)
    }))
})
