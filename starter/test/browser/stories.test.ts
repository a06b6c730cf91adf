import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { missingBrowser } from 'sallyport-app/testing/browser'
import { Secret } from 'sallyport'
import { PASSWORD } from '../support.ts'
import { confirm, enter, inside, type Story, testStories } from './hands.ts'
import { Stage } from './stage.ts'
import type { Visit } from './visit.ts'
import { World } from './world.ts'

const skip = missingBrowser ?? false
const NEW = 'a quiet orchard in the rain'

const STORIES: readonly Story[] = [
  {
    name: 'from sign-up to the account, and in again by a code and by a recovery code',
    async play(stage, hand) {
      const { visit } = hand
      const { page } = visit
      await visit.open('/login')
      await hand.use('Create an account')
      await hand.fill('Email address', 'grace@example.test')
      await hand.use('Send the link')
      await visit.open(stage.link('/sign-up/confirm/'))
      await hand.fill('Your name', 'Grace')
      await hand.fill('Password', 'password1234')
      const refused = await hand.use('Create the account')
      assert.deepEqual([refused.status, refused.focus], [422, 'password'])
      await hand.fill('Password', PASSWORD)
      await assertCanBeShown(visit)
      await hand.use('Create the account')
      const secret = new Secret((await page.locator('code.secret').innerText()).replaceAll(' ', ''))
      const grace = { id: '', email: 'grace@example.test', secret }
      await hand.fill('First code', await stage.world.wrongCode(grace))
      assert.equal((await hand.use('Continue')).focus, 'code')
      await hand.fill('First code', await stage.world.code(grace))
      await hand.use('Continue')
      const codes = await page.locator('.codes code').allInnerTexts()
      await assertCanBeKept(visit, codes)
      const [code = ''] = codes
      assert.equal((await hand.use("I've saved them")).path, '/account')
      await hand.use('Sign out')

      await enter(stage, hand, grace)
      await hand.use('Sign out')
      await hand.fill('Email address', grace.email)
      await hand.fill('Password', PASSWORD)
      await hand.use('Continue')
      await hand.use('Use this: Recovery code')
      await hand.fill('Recovery code', '0000-0000-0000')
      const wrong = await hand.use('Sign in')
      assert.deepEqual([wrong.status, wrong.focus], [422, 'code'])
      await hand.fill('Recovery code', code)
      assert.equal((await hand.use('Sign in')).path, '/account')
    },
  },
  {
    name: 'step-up and change of password',
    async play(stage, hand) {
      const ada = await inside(stage, hand)
      await hand.visit.open('/account/security')
      await hand.use('Change password')
      assert.equal((await confirm(stage, hand, ada)).path, '/account/password')
      await hand.fill('New password', 'password1234')
      const refused = await hand.use('Change password')
      assert.deepEqual([refused.status, refused.focus], [422, 'password'])
      await hand.fill('New password', NEW)
      assert.match((await hand.use('Change password')).notice, /Password changed/)
    },
  },
  {
    name: 'rename and remove an authenticator',
    async play(stage, hand) {
      const ada = await inside(stage, hand)
      await hand.visit.open('/account/security')
      await hand.use('Rename: Authenticator app')
      await confirm(stage, hand, ada)
      await hand.fill('Name', ' ')
      assert.equal((await hand.use('Save')).focus, 'label')
      await hand.fill('Name', 'Pixel 9')
      assert.match((await hand.use('Save')).notice, /Name saved/)
      await hand.use('Remove: Pixel 9')
      assert.match((await hand.use('Remove')).notice, /was removed/)
    },
  },
  {
    name: 'a forgotten password',
    async play(stage, hand) {
      const ada = await stage.world.person('ada', { factor: 'enabled' })
      await hand.visit.open('/login')
      await hand.use('Forgot your password?')
      await hand.fill('Email address', ada.email)
      await hand.use('Send the link')
      await hand.visit.open(stage.link('/forgot/'))
      await hand.fill('Password', 'password1234')
      const refused = await hand.use('Set the password')
      assert.deepEqual([refused.status, refused.focus], [422, 'password'])
      await hand.fill('Password', NEW)
      assert.match((await hand.use('Set the password')).notice, /Your password has been changed/)
    },
  },
]

testStories(STORIES)

/** The password is shown where a script can do it; shown, it is still no text that a keyboard corrects. */
async function assertCanBeShown({ page, runsScripts }: Visit): Promise<void> {
  const password = page.getByLabel('Password', { exact: true })
  const show = page.getByRole('button', { name: /^Show ?: Password$/ })
  assert.equal(await show.isVisible(), runsScripts)
  if (!runsScripts) return
  await show.click()
  assert.equal(await password.getAttribute('type'), 'text')
  for (const [name, value] of Object.entries({
    autocapitalize: 'none',
    autocorrect: 'off',
    spellcheck: 'false',
  }))
    assert.equal(await password.getAttribute(name), value)
}

/** Recovery codes can be downloaded, and copied and printed where a script can do it. */
async function assertCanBeKept({ page, runsScripts }: Visit, codes: readonly string[]): Promise<void> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ])
  const saved = readFileSync(await download.path(), 'utf8')
  assert.deepEqual(saved.trim().split('\r\n'), codes)
  for (const name of ['Copy', 'Print'])
    assert.equal(await page.getByRole('button', { name }).isVisible(), runsScripts, name)
}

describe('an international domain', { skip }, () => {
  const world = new World()

  it('is sent by the browser as the DNS has it, and read as it was typed [RA-0103]', () =>
    Stage.use(world.browser, async (stage) => {
      const visit = await stage.open()
      const { page } = visit
      await visit.open('/sign-up')
      await page.getByLabel('Email address').fill('ada@bücher.example')
      assert.equal((await visit.click('button', 'Send the link')).path, '/sign-up/sent')
      await visit.open(stage.link('/sign-up/confirm/'))
      assert.match(await page.locator('main').innerText(), /ada@bücher\.example/)
      await page.getByLabel('Your name').fill('Ada')
      await page.getByLabel('Password').fill(PASSWORD)
      await visit.click('button', 'Create the account')

      const other = await stage.open()
      await other.open('/login')

      assert.equal((await other.enterPassword({ email: 'ada@bücher.example' })).path, '/account')
    }))
})
