import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missingBrowser } from 'sallyport-app/testing/browser'
import { PASSKEY_DOOR } from './steps.ts'
import type { Person } from '../../../test/support.ts'
import { Stage } from '../../../test/browser/stage.ts'
import { hurryPasskeys, type KeyOptions, VirtualKey } from 'sallyport-app/testing/authenticators'
import type { Visit } from '../../../test/browser/visit.ts'
import { World } from '../../../test/browser/world.ts'

const skip = missingBrowser ?? false

/** What an authenticator opens. */
interface Kind extends KeyOptions {
  readonly name: string
  /** What the list says of it. */
  readonly listed: string
  /** Where the button of the login page leads. */
  readonly whole: 'account' | 'nothing'
}

const KINDS: readonly Kind[] = [
  {
    name: 'a passkey of a device that verifies its user',
    listed: 'Signs in without a password',
    whole: 'account',
  },
  {
    name: 'a passkey of a device that does not verify its user',
    hasUserVerification: false,
    listed: 'Signs in without a password',
    // Chromium asks such a device for no passkey of an account that is not named.
    whole: 'nothing',
  },
  {
    name: 'a security key with a PIN that keeps nothing',
    hasResidentKey: false,
    listed: 'Second step only',
    whole: 'nothing',
  },
  {
    name: 'a security key without a PIN that keeps nothing',
    hasResidentKey: false,
    hasUserVerification: false,
    listed: 'Second step only',
    whole: 'nothing',
  },
]

/** Somebody signed in, whose passkey was just added. */
async function withKey(
  stage: Stage,
  kind: KeyOptions,
): Promise<{ readonly ada: Person; readonly visit: Visit; readonly key: VirtualKey }> {
  const ada = await stage.world.person('ada', { factor: 'enabled' })
  const visit = await stage.open()
  const key = await VirtualKey.plugIn(visit, kind)
  await stage.signIn(visit, ada)
  await visit.open('/account/passkeys/new')
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
        await stage.enterPassword(visit, ada)
        await visit.open(PASSKEY_DOOR)
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
        const button = page.getByRole('button', { name: 'Sign in with a passkey' })
        if (whole === 'nothing') {
          await key.answer(true)
          await button.click()
          await page.getByText('No passkey was used').waitFor()
          assert.equal((await visit.sight()).path, '/login')
          return
        }
        await key.answer(true)
        await visit.click('button', 'Sign in with a passkey')
        assert.equal((await visit.sight()).path, '/account')
      }))
})
