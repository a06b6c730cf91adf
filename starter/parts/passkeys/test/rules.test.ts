import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Demanded, demanding } from '../../../test/demanding.ts'
import { SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { ofParts } from '../../../test/facts-of-parts.ts'
import { type Browser, type Page, PASSWORD, type Person, START, World } from '../../../test/support.ts'
import {
  atDoor,
  codesOf,
  CONFIRM,
  DOOR,
  newestLink,
  ownerOf,
  pathOf,
  RECOVERY,
  signedIn,
} from '../../../test/flow/steps.ts'
import { addPasskey, atPasskeyDoor, ENROLL, NEW_PASSKEY, PASSKEY_DOOR, passkeySignIn } from './steps.ts'
import { Passkeys } from '../passkeys.ts'

const GRACE = 14 * 24 * 60 * 60
const ADMIN = { permissions: ['admin.access'], factor: 'enabled' } as const
// Who administers holds a passkey, from the start of the tests on.
const RULE = {
  holders: 'admin.access',
  kinds: ['passkey'],
  from: Date.parse(START) / 1000,
  fixed: Date.parse(START) / 1000 + GRACE,
} as const

/** An administrator with an app and without a passkey, whose deadline is over. */
async function due(
  test: TestContext,
  ...others: readonly Demanded[]
): Promise<{ readonly world: World; readonly ada: Person }> {
  const world = await World.create(test, demanding(RULE, ...others))
  const ada = await world.person('ada', ADMIN)
  await world.browser().signIn(ada)
  world.clock.advance(GRACE)
  return { world, ada }
}

/** Asserts that the login has led to the registration, which signs nobody in. */
async function assertRegisters(browser: Browser, page: Page): Promise<void> {
  assert.equal(page.location, '/enroll')
  assert.equal((await browser.open('/enroll')).location, ENROLL)
  const keys = Object.keys(await browser.session())
  assert.deepEqual([keys.includes('_auth'), keys.includes('_2fa')], [false, false])
  assert.equal(await browser.isSignedIn(), false)
}

/** Registers a passkey where the rule asks for it. */
async function register(browser: Browser, key: SoftwareAuthenticator): Promise<Page> {
  const page = await browser.open(ENROLL)
  return browser.submit(ENROLL, { label: 'Blue key', response: key.register(page.html) })
}

/** @returns A recovery code of the account. */
async function recoveryCode({ identity }: World, { id: accountId }: Person): Promise<string> {
  const by = { accountId, clientAddress: '', device: '', credentialVersion: 1 }
  return (await identity.codes.renew(by))?.set.codes[0] ?? ''
}

describe('a rule that asks for a passkey', () => {
  it('from the deadline on, password and app or recovery code lead to the registration of one, and to no other app; it ends in a sign-in [RA-2203 RA-0901 RA-0902 FACTOR-33 MEND-07]', async (test) => {
    const { world, ada } = await due(test)
    const code = await recoveryCode(world, ada)
    const recovering = await atDoor(world, ada, RECOVERY)
    await assertRegisters(recovering, await recovering.submit(RECOVERY, { code }))
    const mails = world.mailbox.list().length
    const browser = world.browser()
    const key = new SoftwareAuthenticator()
    await browser.send('/login', { email: ada.email, password: PASSWORD, return_url: '/account/security' })
    const pending = browser.sessionId

    await assertRegisters(browser, await browser.code(await world.code(ada)))

    assert.notEqual(browser.sessionId, pending)
    assert.equal((await browser.send(ENROLL, { label: 'Kept', response: '{}' })).status, 422)
    for (const path of ['/enroll/done', '/enroll'])
      assert.equal((await browser.submit(path, { code: await world.code(ada) })).location, ENROLL)
    assert.equal(world.mailbox.list().length, mails)
    assert.ok((await world.events(ada)).includes('enrollment-required'))
    const before = browser.sessionId
    assert.equal(codesOf(await register(browser, key)).length, 10)
    assert.notEqual(browser.sessionId, before)
    assert.equal(await browser.isSignedIn(), false)
    await browser.open('/enroll')
    assert.equal((await browser.submit('/enroll/done')).location, '/account/security')
    assert.equal(await browser.isSignedIn(), true)
    assert.equal((await world.identity.factors.list(ada.id)).length, 1)
    assert.equal((await passkeySignIn(world.browser(), key)).location, '/account')
  })

  it('a code of the app does not open the door of an account that holds the passkey, and is not used up [RA-2203]', async (test) => {
    const { world, ada } = await due(test)
    const first = world.browser()
    const key = new SoftwareAuthenticator()
    await first.signIn(ada)
    await register(first, key)
    world.clock.advance(30)
    const { browser, page } = await atPasskeyDoor(world, ada)

    assert.equal((await browser.open(DOOR)).location, PASSKEY_DOOR)
    await browser.open(PASSKEY_DOOR)
    assert.equal((await browser.submit(DOOR, { code: await world.code(ada) })).location, DOOR)
    assert.equal(await browser.isSignedIn(), false)
    const [app] = await world.database.selectFrom('factor').select('used_at').execute()
    assert.ok((app?.used_at ?? 0) < world.clock.timestamp())
    await browser.open(PASSKEY_DOOR)
    const entered = await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html) })

    assert.equal(entered.location, '/account')
  })

  it('lets nobody register one by the password alone: the link in the mail comes first [RA-0901 RA-2203]', async (test) => {
    const { world, person, browser } = await ownerOf(test, {
      factor: 'none',
      ...demanding({ kinds: ['passkey'] }),
    })
    assert.equal((await browser.password(person)).location, '/enroll')

    assert.equal((await browser.open(ENROLL)).location, '/enroll')

    await browser.send(newestLink(world))
    assert.equal((await browser.open(ENROLL)).status, 200)
  })

  it('two rules without a common kind shut nobody out, and are fulfilled one after the other [RA-2203]', async (test) => {
    const { world, ada } = await due(test, { from: RULE.from, fixed: RULE.fixed, kinds: ['totp'] })
    const browser = world.browser()
    await browser.signIn(ada)
    const key = new SoftwareAuthenticator()
    await register(browser, key)
    await browser.open('/enroll')
    assert.equal((await browser.submit('/enroll/done')).location, '/account')
    world.clock.advance(30)

    assert.equal((await world.browser().signIn(ada)).location, '/account')
    assert.equal((await passkeySignIn(world.browser(), key)).location, '/account')
  })

  it('keeps the last passkey, although an app is left, and lets the app go [RA-1002 RA-1701 RA-2203]', async (test) => {
    const { world, person: ada, browser } = await signedIn(test, ADMIN, demanding(RULE))
    const key = await addPasskey(browser, 'Key')
    const [passkey] = await world.app.get(Passkeys).list(ada.id)
    const [app] = await world.identity.factors.list(ada.id)
    const removal = `/account/security/factors/${passkey?.id}/remove`
    const asked = await browser.open(removal, { follow: true })
    const response = key.respond(asked.html)
    await browser.submit('/account/passkeys/confirm', { return_url: removal, response })
    await browser.open('/account/security')

    assert.equal((await browser.submit(removal)).location, '/account/security')
    assert.equal((await world.app.get(Passkeys).list(ada.id)).length, 1)
    const other = `/account/security/factors/${app?.id}/remove`
    assert.equal((await browser.send(other)).location, '/account/security')
    assert.deepEqual(await world.identity.factors.list(ada.id), [])
  })

  it('has a step-up take neither a code of the app, which stays unused, nor a recovery code for what mends no loss [RA-1401 RA-2203 FACTOR-28]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test, { ...ADMIN, ...demanding(RULE) })
    const code = await recoveryCode(world, ada)
    await browser.signIn(ada)
    await addPasskey(browser, 'Key')
    const rename = await pathOf({ world, person: ada, browser }, 'rename')
    world.clock.advance(300)
    const used = await world.database.selectFrom('factor').select('used_at').execute()

    for (const path of [rename, ...Object.keys(ofParts('guarded'))]) {
      const { html } = await browser.open(path, { follow: true })
      assert.match(html, /data-passkey="get"/)
      assert.doesNotMatch(html, /name="code"/)
      const typed = { return_url: path, password: PASSWORD, code: await world.code(ada) }
      assert.equal((await browser.submit(CONFIRM, typed)).status, 422, path)
      assert.match((await browser.open(path)).location ?? '', /^\/account\/confirm/, path)
    }
    assert.deepEqual(await world.database.selectFrom('factor').select('used_at').execute(), used)
    const recovering = { password: PASSWORD, recovery_code: code }
    const other = await browser.submit(CONFIRM, { return_url: rename, ...recovering })
    assert.equal(other.status, 422)
    assert.equal((await world.events(ada)).includes('step-up-confirmed'), false)
    const lost = await browser.submit(CONFIRM, { return_url: NEW_PASSKEY, ...recovering })
    assert.equal(lost.location, NEW_PASSKEY)
    assert.equal((await browser.open(NEW_PASSKEY)).status, 200)
    assert.match((await browser.open(rename)).location ?? '', /^\/account\/confirm/)
  })
})
