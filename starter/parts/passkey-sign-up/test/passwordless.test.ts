import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { act, missing } from '../../../test/facts-of-parts.ts'
import {
  ADD,
  atDoor,
  CONFIRM,
  newestLink,
  RECOVERY,
  SECURITY,
  withSecretOf,
} from '../../../test/flow/steps.ts'
import { type Browser, type Page, PASSWORD, type Person, type World } from '../../../test/support.ts'
import { RecoveryCodes } from '../../../core/factors/recovery-codes.ts'
import { Passkeys } from '../../passkeys/passkeys.ts'
import { type ResponseOptions, SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { addPasskey, NEW_PASSKEY, PASSKEY_DOOR, passkeySignIn } from '../../passkeys/test/steps.ts'
import { EMAIL, type Passwordless, passwordless } from './steps.ts'

const PATH = '/account/password'
const NEW = 'a quiet orchard in the rain'
const BY_PASSKEY = '/account/passkeys/confirm'

/** Confirms what a page asks for, and gives what came back. */
async function confirm(
  browser: Browser,
  key: SoftwareAuthenticator,
  { path, ...options }: ResponseOptions & { readonly path: string },
): Promise<Page> {
  const { html } = await browser.open(path, { follow: true })
  return browser.submit(BY_PASSKEY, { return_url: path, response: key.respond(html, options) })
}

/** Adds an authenticator app. @returns The account with its secret. */
async function addApp({ world, grace, key, browser }: Omit<Passwordless, 'codes'>): Promise<Person> {
  await confirm(browser, key, { path: ADD })
  const app = withSecretOf(grace, await browser.open(ADD))
  const page = await browser.submit(ADD, { label: 'App', code: await world.code(app) })
  assert.equal(page.location, SECURITY)
  return app
}

/** Sets a password behind the link for a forgotten one. */
async function resetByMail(world: World, browser: Browser): Promise<void> {
  await browser.send('/forgot', { email: EMAIL })
  const link = newestLink(world)
  assert.equal((await browser.send(link, { password: NEW })).location, '/login')
}

describe('an account with a passkey and no password', () => {
  it('is not opened by the mailbox alone: the link sets a password, and the second door stands [RA-2903 RA-1601 RA-2706]', async (test) => {
    const { world, grace, key, browser, codes } = await passwordless(test)
    const thief = world.browser()
    world.clock.advance(60)

    await resetByMail(world, thief)

    assert.deepEqual([await thief.isSignedIn(), await browser.isSignedIn()], [false, false])
    assert.equal((await thief.password(grace, NEW)).location, '/login/2fa')
    assert.equal(await thief.isSignedIn(), false)
    const recovered = await atDoor(world, grace, RECOVERY, NEW)
    assert.equal((await recovered.submit(RECOVERY, { code: codes[0] ?? '' })).location, '/account')
    const owner = await atDoor(world, grace, PASSKEY_DOOR, NEW)
    const response = key.respond((await owner.open(PASSKEY_DOOR)).html)
    assert.equal((await owner.submit(PASSKEY_DOOR, { response })).location, '/account')
  })

  it(
    'whose factors an administrator took away is not opened by the mailbox alone either [RA-2903 RA-2706]',
    { skip: missing('administration') },
    async (test) => {
      const { world, grace } = await passwordless(test)
      const thief = world.browser()
      await act('resetFactors')(world, grace.id)
      await resetByMail(world, thief)

      const { location } = await thief.password(grace, NEW)

      assert.notEqual(location, '/enroll')
      assert.equal(await thief.isSignedIn(), false)
    },
  )

  it('confirms with the passkey alone, whose user was verified, and with nothing weaker [RA-2903 RA-1401]', async (test) => {
    const { world, grace, key, browser, codes } = await passwordless(test)
    const app = await addApp({ world, grace, key, browser })
    world.clock.advance(300)
    const asked = await browser.open(PATH)
    const page = await browser.open(asked.location ?? '')
    assert.match(page.html, /userVerification&quot;:&quot;required/)
    assert.doesNotMatch(page.html, /name="(password|code|recovery_code)"/)
    assert.match(page.html, /href="\/forgot"/)

    const weaker: Readonly<Record<string, string>>[] = [
      { password: PASSWORD },
      { password: '' },
      { code: await world.code(app) },
      { password: PASSWORD, code: await world.code(app) },
      { recovery_code: codes[1] ?? '' },
    ]
    for (const typed of weaker) {
      assert.equal((await browser.submit(CONFIRM, { return_url: PATH, ...typed })).status, 422)
      assert.equal((await browser.open(PATH)).status, 303, JSON.stringify(Object.keys(typed)))
    }
    await confirm(browser, key, { path: PATH, verified: false })
    assert.equal((await browser.open(PATH)).location, asked.location)
    await confirm(browser, key, { path: PATH })

    assert.equal((await browser.open(PATH)).status, 200)
    assert.equal(await world.app.get(RecoveryCodes).left(grace.id), 10)
    assert.equal((await world.events(grace)).at(-1), 'step-up-confirmed')
  })

  it('sets its first password as others change theirs, and is like any other account then [RA-2903 RA-1501]', async (test) => {
    const { world, key, browser } = await passwordless(test)
    const other = world.browser()
    await passkeySignIn(other, key)
    assert.equal((await other.open(PATH)).status, 200, 'nothing is asked for again')
    await confirm(browser, key, { path: PATH })

    assert.equal((await browser.submit(PATH, { password: NEW })).location, SECURITY)

    assert.equal(await other.isSignedIn(), false)
    const next = world.browser()
    await passkeySignIn(next, key)
    const { html } = await next.open((await next.open(PATH)).location ?? '')
    assert.match(html, /name="password"/)
  })

  it('keeps its last passkey until it has a password, whatever else it holds, and adds only such as sign in alone [RA-2903 RA-1002]', async (test) => {
    const { world, grace, key, browser } = await passwordless(test)
    await addApp({ world, grace, key, browser })
    const passkeys = (): ReturnType<Passkeys['list']> => world.app.get(Passkeys).list(grace.id)
    const remove = `${SECURITY}/factors/${(await passkeys())[0]?.id}/remove`
    await confirm(browser, key, { path: remove })

    for (const { location } of [await browser.open(remove), await browser.submit(remove)])
      assert.equal(location, SECURITY)
    for (const options of [{ verified: false }, { resident: false }]) {
      const { html } = await browser.open(NEW_PASSKEY)
      const response = new SoftwareAuthenticator().register(html, options)
      assert.equal((await browser.submit(NEW_PASSKEY, { label: 'Weak', response })).status, 422)
    }
    assert.equal((await passkeys()).length, 1)
    await addPasskey(browser, 'Second')
    await browser.send(remove)
    assert.deepEqual(
      (await passkeys()).map(({ label }) => label),
      ['Second'],
    )
  })
})
