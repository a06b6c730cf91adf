import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missingBrowser, type WindowOptions } from 'sallyport-app/testing/browser'
import type { Page } from 'playwright-core'
import { NEW_PASSKEY, PASSKEY_DOOR } from './steps.ts'
import type { Person } from '../../../test/support.ts'
import { Stage } from '../../../test/browser/stage.ts'
import { hurryPasskeys, type KeyOptions, VirtualKey } from 'sallyport-app/testing/authenticators'
import type { Visit } from '../../../test/browser/visit.ts'
import { World } from '../../../test/browser/world.ts'

const skip = missingBrowser ?? false
const NO_ANSWER = 'No passkey was used. Try again.'
const UNSUPPORTED = 'This browser cannot use passkeys on this page.'
const NO_SCRIPT = 'Passkeys need JavaScript, which is off in this browser.'
const NOTHING_KEPT: KeyOptions = { hasResidentKey: false, hasUserVerification: false }

/** What an authenticator opens. */
interface Kind extends KeyOptions {
  readonly name: string
  /** What the list says of it. */
  readonly listed: string
  /** Where the button of the login page leads. */
  readonly whole: '/account' | '/login'
}

const KINDS: readonly Kind[] = [
  {
    name: 'a passkey of a device that verifies its user',
    listed: 'Signs in without a password',
    whole: '/account',
  },
  {
    name: 'a security key without a PIN that keeps nothing',
    ...NOTHING_KEPT,
    listed: 'Second step only',
    whole: '/login',
  },
]

/** Somebody whose passkey was just added. */
interface Holder {
  readonly ada: Person
  readonly visit: Visit
  readonly key: VirtualKey
}

async function withKey(stage: Stage, kind: KeyOptions = NOTHING_KEPT): Promise<Holder> {
  const ada = await stage.world.person('ada', { factor: 'enabled' })
  const visit = await stage.open()
  const key = await VirtualKey.plugIn(visit, kind)
  await stage.signIn(visit, ada)
  await visit.open(NEW_PASSKEY)
  await visit.page.getByLabel('Name').fill('Blue key')
  assert.match((await visit.click('button', 'Add a passkey')).notice, /The passkey was added/)
  // The login page lists passkeys at once, and the authenticator would answer before anything is typed.
  await key.answer(false)
  return { ada, visit, key }
}

async function signOut(visit: Visit): Promise<void> {
  await visit.open('/account')
  await visit.click('button', 'Sign out')
}

async function reachPasskeyDoor(stage: Stage, visit: Visit, ada: Person): Promise<void> {
  await stage.enterPassword(visit, ada)
  await visit.open(PASSKEY_DOOR)
}

/** Signs in with the authenticator app, from the page that asks for a passkey. */
async function useAppInstead(stage: Stage, visit: Visit, ada: Person): Promise<void> {
  await visit.after(() => visit.page.getByRole('link', { name: /^Use this: Authenticator app/ }).click())
  assert.equal((await visit.enterCode(await stage.code(ada))).path, '/account')
}

describe('authenticators in a browser', { skip }, () => {
  const world = new World()

  for (const { name, listed, whole, ...kind } of KINDS)
    it(`${name}: registration, second door, whole login, step-up [RA-1201 RA-2901 RA-0501 RA-1401]`, () =>
      Stage.use(world.browser, async (stage) => {
        const { ada, visit, key } = await withKey(stage, kind)
        const { page } = visit
        assert.match(await page.locator('main').innerText(), new RegExp(listed))
        const [kept] = await key.credentials()
        assert.deepEqual([kept?.isResidentCredential, kept?.rpId], [kind.hasResidentKey ?? true, 'localhost'])

        await signOut(visit)
        await reachPasskeyDoor(stage, visit, ada)
        await key.answer(true)
        assert.equal((await visit.click('button', 'Use passkey')).path, '/account')

        stage.world.clock.advance(301)
        await visit.open('/account/password')
        const half = await visit.click('button', 'Confirm with a passkey')
        assert.match(half.path, /^\/account\/confirm/)
        assert.equal(await page.locator('input[name=code]').count(), 0, 'only the password is missing')
        await stage.confirm(visit, ada)
        assert.equal((await visit.sight()).path, '/account/password')

        await key.answer(false)
        await signOut(visit)
        await hurryPasskeys(page)
        await visit.open('/login')
        await key.answer(true)
        const press = page.getByRole('button', { name: 'Sign in with a passkey' }).click()
        if (whole === '/login') await Promise.all([press, page.getByText('No passkey was used').waitFor()])
        else await Promise.all([press, page.waitForURL('**/account')])
        assert.equal((await visit.sight()).path, whole)
      }))
})

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

  it('every page says so, stays, and has another way [RA-0303 RA-1201 RA-1401]', () =>
    Stage.use(world.browser, async (stage) => {
      const { ada, visit } = await withKey(stage)
      await signOut(visit)
      await hurryPasskeys(visit.page)

      await visit.open('/login')
      await isToldAt(visit, 'Sign in with a passkey')
      assert.equal(await visit.page.getByLabel('Password').isVisible(), true)

      await reachPasskeyDoor(stage, visit, ada)
      await isToldAt(visit, 'Use passkey')
      await useAppInstead(stage, visit, ada)

      await visit.open(NEW_PASSKEY)
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

/** Asserts that the page says in place of the button why there is none. */
async function assertTold(page: Page, why: string, button: string): Promise<void> {
  assert.ok((await page.locator('main').innerText()).includes(why), page.url())
  assert.equal(await page.getByRole('button', { name: button }).isVisible(), false)
}

/** Browsers that use no passkeys at an address, and what pages say there. */
const WITHOUT: Readonly<Record<string, (port: string) => readonly [Partial<WindowOptions>, why: string]>> = {
  'without script': () => [{ javaScriptEnabled: false }, NO_SCRIPT],
  // The same server, by names that are not the origin of the site.
  'at an address': (port) => [{ url: `http://127.0.0.1:${port}` }, UNSUPPORTED],
  'at another host': (port) => [{ url: `http://www.localhost:${port}` }, UNSUPPORTED],
}

describe('where passkeys cannot be used', { skip }, () => {
  const world = new World()

  for (const [where, without] of Object.entries(WITHOUT))
    it(`pages say so and ask for nothing that would be refused, and everything else works: ${where} [RA-2902 RA-0501]`, () =>
      Stage.use(world.browser, async (stage) => {
        const { ada, visit: own } = await withKey(stage)
        const [options, why] = without(new URL(own.page.url()).port)
        const visit = await stage.open(options)
        const { page } = visit
        await visit.open('/login')
        const whole = page.getByRole('button', { name: 'Sign in with a passkey' })
        assert.equal(await whole.isVisible(), false)
        await reachPasskeyDoor(stage, visit, ada)
        await assertTold(page, why, 'Use passkey')
        await useAppInstead(stage, visit, ada)
        await visit.open(NEW_PASSKEY)
        await assertTold(page, why, 'Add a passkey')
        stage.world.clock.advance(301)
        await visit.open('/account/password')
        await assertTold(page, why, 'Confirm with a passkey')
        await stage.confirm(visit, ada)
        assert.equal((await visit.sight()).path, '/account/password')
      }))
})
