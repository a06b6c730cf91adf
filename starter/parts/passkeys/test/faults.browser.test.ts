import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missingBrowser } from 'sallyport-app/testing/browser'
import type { Page } from 'playwright-core'
import { PASSKEY_DOOR } from './steps.ts'
import type { Person } from '../../../test/support.ts'
import { Stage } from '../../../test/browser/stage.ts'
import { hurryPasskeys, VirtualKey } from 'sallyport-app/testing/authenticators'
import type { Visit } from '../../../test/browser/visit.ts'
import { World } from '../../../test/browser/world.ts'

const skip = missingBrowser ?? false
const NO_ANSWER = 'No passkey was used. Try again.'
const UNSUPPORTED = 'This browser cannot use passkeys on this page.'
const NO_SCRIPT = 'Passkeys need JavaScript, which is off in this browser.'
const NOTHING_KEPT = { hasResidentKey: false, hasUserVerification: false }
const NEW = '/account/passkeys/new'

/** Somebody whose security key is registered, signed out again. */
async function withKey(stage: Stage): Promise<{
  readonly ada: Person
  readonly visit: Visit
  readonly key: VirtualKey
}> {
  const ada = await stage.world.person('ada', { factor: 'enabled' })
  const visit = await stage.open()
  const key = await VirtualKey.plugIn(visit, NOTHING_KEPT)
  await stage.signIn(visit, ada)
  await visit.open(NEW)
  await visit.page.getByLabel('Name').fill('Blue key')
  await visit.click('button', 'Add a passkey')
  await visit.open('/account')
  await visit.click('button', 'Sign out')
  return { ada, visit, key }
}

async function reachPasskeyDoor(stage: Stage, visit: Visit, ada: Person): Promise<void> {
  await stage.enterPassword(visit, ada)
  await visit.open(PASSKEY_DOOR)
}

/** Presses the button, is told, and can press it again. */
async function isToldAt(visit: Visit, button: string): Promise<void> {
  const { page } = visit
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByText(NO_ANSWER).waitFor()
  assert.equal((await visit.sight()).alert, NO_ANSWER)
  assert.equal(await page.getByRole('button', { name: button, exact: true }).isEnabled(), true)
}

describe('a passkey that does not answer', { skip }, () => {
  const world = new World()

  for (const why of ['the user does nothing until time is up', 'there is no authenticator at all'])
    it(`${why}: every page says so, stays, and has another way [RA-0303 RA-1201 RA-1401]`, () =>
      Stage.use(world.browser, async (stage) => {
        const { ada, visit, key } = await withKey(stage)
        await hurryPasskeys(visit.page)
        await key.answer(false)
        if (why.startsWith('there is no')) await key.unplug()

        await visit.open('/login')
        await isToldAt(visit, 'Sign in with a passkey')
        assert.equal(await visit.page.getByLabel('Password').isVisible(), true)

        await reachPasskeyDoor(stage, visit, ada)
        await isToldAt(visit, 'Use passkey')
        const other = await visit.after(() =>
          visit.page.getByRole('link', { name: /^Use this: Authenticator app/ }).click(),
        )
        assert.equal(other.path, '/login/2fa?with=code')
        assert.equal((await visit.enterCode(await stage.code(ada))).path, '/account')

        await visit.open(NEW)
        await visit.page.getByLabel('Name').fill('Second key')
        await isToldAt(visit, 'Add a passkey')
        assert.equal(await visit.page.getByLabel('Name').inputValue(), 'Second key')
        assert.equal(await visit.page.getByRole('link', { name: 'Cancel' }).isVisible(), true)

        stage.world.clock.advance(301)
        await visit.open('/account/confirm?return_url=/account/password')
        await isToldAt(visit, 'Confirm with a passkey')
        await stage.confirm(visit, ada)
        assert.equal((await visit.sight()).path, '/account/password')
      }))
})

// Playwright finds no text in this element.
async function isToldWhy(page: Page): Promise<void> {
  const message = page.locator('noscript p')
  assert.equal(await message.innerText(), NO_SCRIPT)
  assert.notEqual(await message.boundingBox(), null, 'it is seen')
}

describe('where passkeys cannot be used', { skip }, () => {
  const world = new World()

  it('without script every page says what is possible, and everything else works [RA-2902]', () =>
    Stage.use(world.browser, async (stage) => {
      const { ada } = await withKey(stage)
      const visit = await stage.open({ javaScriptEnabled: false })
      const { page } = visit
      await visit.open('/login')
      assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible(), false)
      await reachPasskeyDoor(stage, visit, ada)
      await isToldWhy(page)
      assert.equal(await page.getByText(UNSUPPORTED).isVisible(), false)
      assert.equal(await page.getByRole('button', { name: 'Use passkey' }).isVisible(), false)
      await visit.after(() => page.getByRole('link', { name: /^Use this: Authenticator app/ }).click())
      assert.equal((await visit.enterCode(await stage.code(ada))).path, '/account')
      await visit.open(NEW)
      await isToldWhy(page)
      assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).isVisible(), false)
      stage.world.clock.advance(301)
      await visit.open('/account/password')
      await isToldWhy(page)
      await stage.confirm(visit, ada)
      assert.equal((await visit.sight()).path, '/account/password')
    }))

  for (const host of ['127.0.0.1', 'www.localhost'])
    it(`at ${host}, which is not the origin of the site, pages say so and ask for nothing that would be refused [RA-0501]`, () =>
      Stage.use(world.browser, async (stage) => {
        const { ada, visit } = await withKey(stage)
        const { port } = new URL(visit.page.url())
        // The same server, by another name.
        const elsewhere = await stage.open({ url: `http://${host}:${port}` })
        const { page } = elsewhere
        await elsewhere.open('/login')
        assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible(), false)
        await reachPasskeyDoor(stage, elsewhere, ada)
        assert.equal(await page.getByText(UNSUPPORTED).isVisible(), true)
        assert.equal(await page.getByRole('button', { name: 'Use passkey' }).isVisible(), false)
        await elsewhere.after(() => page.getByRole('link', { name: /^Use this: Authenticator app/ }).click())
        assert.equal((await elsewhere.enterCode(await stage.code(ada))).path, '/account')
      }))
})
