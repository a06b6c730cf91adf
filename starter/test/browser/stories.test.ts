import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DomGlobals, missingBrowser } from 'sallyport-app/testing/browser'
import { Secret } from 'sallyport'
import { PASSWORD } from '../support.ts'
import { confirm, enter, inside, type Story, testStories } from './hands.ts'
import { Stage } from './stage.ts'
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
      await hand.use('Create the account')
      const secret = new Secret((await page.locator('code.secret').innerText()).replaceAll(' ', ''))
      const grace = { id: '', email: 'grace@example.test', secret }
      await hand.fill('First code', await stage.world.wrongCode(grace))
      assert.equal((await hand.use('Continue')).focus, 'code')
      await hand.fill('First code', await stage.world.code(grace))
      await hand.use('Continue')
      const [code = ''] = await page.locator('.codes code').allInnerTexts()
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

describe('motion', { skip }, () => {
  const world = new World()

  for (const reducedMotion of ['reduce', 'no-preference'] as const)
    it(`of the gate and of buttons: ${reducedMotion} [RA-3103]`, () =>
      Stage.use(world.browser, async (stage) => {
        const { page } = await stage.open({ reducedMotion, viewport: { width: 1440, height: 900 } })
        await page.goto('/login')

        const moving = await page.evaluate(() => {
          const { document, getComputedStyle } = globalThis as unknown as DomGlobals
          return [...document.querySelectorAll('body *')].filter((element) => {
            const style = getComputedStyle(element)
            const duration = style.getPropertyValue('transition-duration')
            return style.getPropertyValue('animation-name') !== 'none' || Number.parseFloat(duration) > 0
          }).length
        })

        if (reducedMotion === 'reduce') assert.equal(moving, 0)
        else assert.ok(moving > 0, 'the check sees motion where there is some')
      }))
})
