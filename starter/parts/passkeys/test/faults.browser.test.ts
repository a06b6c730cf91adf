import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missingBrowser, plainSite } from 'sallyport-app/testing/browser'
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

/** As much of WebAuthn as a page asks for. */
interface WebAuthnGlobals {
  readonly document: { querySelector(selector: string): { readonly dataset: { readonly options: string } } }
  readonly navigator: {
    readonly credentials: {
      get(options: { readonly publicKey: unknown }): Promise<{ toJSON(): object }>
    }
  }
  readonly PublicKeyCredential: { parseRequestOptionsFromJSON(json: unknown): unknown }
}

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

  it('a user who cancels in the dialog of the browser can try again at once [RA-0303]', () =>
    Stage.use(world.browser, async (stage) => {
      const { ada, visit, key } = await withKey(stage)
      await key.answer(false)
      await reachPasskeyDoor(stage, visit, ada)
      const { page } = visit
      await page.getByRole('button', { name: 'Use passkey' }).click()
      // What a second press of the button does to the first request is what a cancelled dialog does.
      await page.getByRole('button', { name: 'Use passkey' }).click()
      await page.getByText(NO_ANSWER).waitFor()
      await key.answer(true)

      assert.equal((await visit.click('button', 'Use passkey')).path, '/account')
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
        await elsewhere.open(NEW)
        await page.getByText('No passkey can be added at this address').waitFor()
        assert.equal(
          await page.getByRole('link', { name: `http://localhost:${port}${NEW}` }).isVisible(),
          true,
        )
      }))

  it('a response that a page of another port, with the same name, got from the browser is refused [RA-0501 RA-0502]', async (test) => {
    const falseSite = await plainSite(test)
    await Stage.use(world.browser, async (stage) => {
      const { ada, visit, key } = await withKey(stage)
      await reachPasskeyDoor(stage, visit, ada)
      const { page } = visit
      const options = await page.evaluate(
        () =>
          (globalThis as unknown as WebAuthnGlobals).document.querySelector('[data-passkey]').dataset.options,
      )
      // The browser gives it: passkeys are bound to a name, and not to a port.
      const other = await page.context().newPage()
      await other.goto(falseSite)
      const copy = await VirtualKey.plugIn({ page: other }, NOTHING_KEPT)
      for (const credential of await key.credentials()) await copy.keep(credential)
      const response = await other.evaluate(askBrowser, options)

      await page
        .locator('input[name=response]')
        .evaluate((field: { value: string }, value) => (field.value = value), response)
      const refused = await visit.after(() =>
        page.locator('form[data-passkey]').evaluate((form: { submit(): void }) => form.submit()),
      )

      assert.match(response, /"clientDataJSON"/)
      assert.deepEqual([refused.path, refused.status], [PASSKEY_DOOR, 422])
      assert.match(refused.alert, /That passkey was not accepted/)
      assert.equal((await visit.open('/account')).path, '/login')
    })
  })
})

async function askBrowser(options: string): Promise<string> {
  const { navigator, PublicKeyCredential } = globalThis as unknown as WebAuthnGlobals
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options))
  return JSON.stringify((await navigator.credentials.get({ publicKey })).toJSON())
}
