import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PasswordHasher } from 'sallyport/auth'
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
import type { Browser, Page, Person, World } from '../../../test/support.ts'
import { PASSWORD } from '../../../test/support.ts'
import { RecoveryCodes } from '../../../core/factors/recovery-codes.ts'
import { Passkeys } from '../../passkeys/passkeys.ts'
import { type ResponseOptions, SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { addPasskey, NEW_PASSKEY, PASSKEY_DOOR, passkeySignIn } from '../../passkeys/test/steps.ts'
import { EMAIL, type Passwordless, passwordless } from './steps.ts'

const PATH = '/account/password'
const NEW = 'a quiet orchard in the rain'
const BY_PASSKEY = '/account/passkeys/confirm'

/** Counts the checks of passwords, and what they were compared with. */
class CountingHasher extends PasswordHasher {
  readonly compared: (string | null | undefined)[] = []

  override verify(...args: Parameters<PasswordHasher['verify']>): Promise<boolean> {
    this.compared.push(args[1])
    return super.verify(...args)
  }
}

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

async function removalOf(world: World, { id }: Person): Promise<string> {
  const [passkey] = await world.app.get(Passkeys).list(id)
  return `${SECURITY}/factors/${passkey?.id}/remove`
}

describe('an account with a passkey and no password', () => {
  it('answers any password as an unknown address does, with the same work, and locks the same [RA-2903 RA-0201]', async (test) => {
    const hasher = new CountingHasher('argon2id', { memoryCost: 1024, timeCost: 1, parallelism: 1 })
    const { world } = await passwordless(test, { hasher })
    const answers: Record<string, unknown[]> = { [EMAIL]: [], 'nobody@example.test': [] }
    for (const [email, seen] of Object.entries(answers))
      for (const password of ['', 'null', PASSWORD, ...Array.from({ length: 10 }, () => 'wrong password')]) {
        hasher.compared.length = 0
        const browser = world.browser()
        const page = await browser.password({ email }, password)
        const text = page.html.replaceAll(email, '').replaceAll(/(value|data-options)="[^"]*"/g, '')
        seen.push([page.status, text, [...hasher.compared], await browser.isSignedIn()])
      }

    assert.deepEqual(answers[EMAIL], answers['nobody@example.test'])
    const statuses = answers[EMAIL]?.map((each) => (each as unknown[])[0])
    assert.deepEqual([statuses?.[0], statuses?.at(-1)], [422, 429])
  })

  it('is not opened by the mailbox alone: the link sets a password, and the second door stands [RA-2903 RA-1601 RA-2706]', async (test) => {
    const { world, grace, key, browser, codes } = await passwordless(test)
    const thief = world.browser()
    world.clock.advance(60)

    await resetByMail(world, thief)

    assert.deepEqual([await thief.isSignedIn(), await browser.isSignedIn()], [false, false])
    const door = await thief.password(grace, NEW)
    assert.deepEqual([door.location, await thief.isSignedIn()], ['/login/2fa', false])
    const { html } = await thief.open(PASSKEY_DOOR)
    const foreign = Object.assign(new SoftwareAuthenticator(), { id: key.id, userHandle: key.userHandle })
    const refused = await thief.submit(PASSKEY_DOOR, { response: foreign.respond(html) })
    assert.deepEqual([refused.status, await thief.isSignedIn()], [422, false])
    const recovered = await atDoor(world, grace, RECOVERY, NEW)
    assert.equal((await recovered.submit(RECOVERY, { code: codes[0] ?? '' })).location, '/account')
    const owner = world.browser()
    await owner.password(grace, NEW)
    const again = await owner.open(PASSKEY_DOOR)
    const entered = await owner.submit(PASSKEY_DOOR, { response: key.respond(again.html) })
    assert.equal(entered.location, '/account')
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
    const { world, grace, key, browser } = await passwordless(test)
    const other = world.browser()
    await passkeySignIn(other, key)
    assert.equal((await other.open(PATH)).status, 200, 'nothing is asked for again')
    await confirm(browser, key, { path: PATH })
    const twins = [browser.twin(), browser.twin()]

    const pages = await Promise.all(
      twins.map((twin, index) => twin.submit(PATH, { password: `${NEW} ${index}` })),
    )

    // One that comes a moment later finds a password, which has to be confirmed by then.
    assert.ok(pages.some(({ location }) => location === SECURITY))
    assert.equal((await world.events(grace)).filter((kind) => kind === 'password-changed').length, 1)
    assert.equal(await other.isSignedIn(), false)
    const next = world.browser()
    await passkeySignIn(next, key)
    const { html } = await next.open((await next.open(PATH)).location ?? '')
    assert.match(html, /name="password"/)
  })

  it('keeps its last passkey until it has a password, whatever else it holds [RA-2903 RA-1002]', async (test) => {
    const { world, grace, key, browser } = await passwordless(test)
    await addApp({ world, grace, key, browser })
    const remove = await removalOf(world, grace)
    const remaining = async (): Promise<number> => (await world.app.get(Passkeys).list(grace.id)).length
    await confirm(browser, key, { path: remove })

    const kept = [await browser.open(remove), await browser.submit(remove)]

    for (const { location } of kept) assert.equal(location, SECURITY)
    assert.equal(await remaining(), 1)
    await browser.open(NEW_PASSKEY)
    await addPasskey(browser, 'Second')
    await browser.send(remove)
    assert.equal(await remaining(), 1)
  })

  it('adds only passkeys that sign in alone, so that one stays whichever goes [RA-2903 RA-1002]', async (test) => {
    const { world, grace, key, browser } = await passwordless(test)
    await confirm(browser, key, { path: NEW_PASSKEY })
    const weak = [{ verified: false }, { resident: false }]

    for (const options of weak) {
      const { html } = await browser.open(NEW_PASSKEY)
      const response = new SoftwareAuthenticator().register(html, options)
      assert.equal((await browser.submit(NEW_PASSKEY, { label: 'Weak', response })).status, 422)
    }
    assert.equal((await world.app.get(Passkeys).list(grace.id)).length, 1)
  })
})
