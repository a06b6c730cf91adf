import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Demanded, demanding } from '../../../test/demanding.ts'
import { SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { ofParts } from '../../../test/facts-of-parts.ts'
import { type Browser, type Page, PASSWORD, type Person, START, World } from '../../../test/support.ts'
import { atDoor, codesOf, CONFIRM, DOOR, RECOVERY, signedIn } from '../../../test/flow/steps.ts'
import { addPasskey, atPasskeyDoor, NEW_PASSKEY, passkeySignIn, PASSKEY_DOOR } from './steps.ts'
import { Passkeys } from '../passkeys.ts'

const NOWHERE = { clientAddress: '', device: '' }
const DAY = 24 * 60 * 60
const GRACE = 14 * DAY
const ENROLL = '/passkey/enroll'
const ADMIN = { permissions: ['admin.access'], factor: 'enabled' } as const
// Who administers holds a passkey, from the start of the tests on.
const RULE = {
  holders: 'admin.access',
  kinds: ['passkey'],
  from: Date.parse(START) / 1000,
  fixed: Date.parse(START) / 1000 + GRACE,
} as const

interface Due {
  readonly world: World
  readonly ada: Person
}

/** An administrator with an app and without a passkey, whose deadline is over. */
async function due(test: TestContext, ...others: readonly Demanded[]): Promise<Due> {
  const world = await World.create(test, demanding(RULE, ...others))
  const ada = await world.person('ada', ADMIN)
  await world.browser().signIn(ada)
  world.clock.advance(GRACE)
  return { world, ada }
}

async function isAnonymous(browser: Browser): Promise<boolean> {
  const keys = Object.keys(await browser.session())
  return !keys.includes('_auth') && !keys.includes('_2fa') && !(await browser.isSignedIn())
}

/** Registers a passkey where the rule asks for it. */
async function register(
  browser: Browser,
  key: SoftwareAuthenticator = new SoftwareAuthenticator(),
): Promise<Page> {
  const page = await browser.open(ENROLL)
  return browser.submit(ENROLL, { label: 'Blue key', response: key.register(page.html) })
}

describe('a rule that asks for a passkey', () => {
  it('from the deadline on, password and app lead to the registration of one, which ends in a sign-in [RA-2203 RA-0901 RA-0902]', async (test) => {
    const { world, ada } = await due(test)
    const browser = world.browser()
    const key = new SoftwareAuthenticator()
    const mails = world.mailbox.list().length
    await browser.send('/login', { email: ada.email, password: PASSWORD, return_url: '/account/security' })

    const page = await browser.code(await world.code(ada))

    assert.equal(page.location, '/enroll')
    assert.equal((await browser.open('/enroll')).location, ENROLL)
    assert.equal((await browser.send(ENROLL, { label: 'Kept', response: '{}' })).status, 422)
    assert.equal((await browser.submit('/enroll/done')).location, ENROLL)
    assert.equal(await isAnonymous(browser), true)
    assert.equal(world.mailbox.list().length, mails)
    assert.ok((await world.events(ada)).includes('enrollment-required'))

    assert.equal(codesOf(await register(browser, key)).length, 10)
    assert.equal(await isAnonymous(browser), true)
    await browser.open('/enroll')
    assert.equal((await browser.submit('/enroll/done')).location, '/account/security')
    assert.equal(await browser.isSignedIn(), true)
    assert.equal((await world.identity.factors.list(ada.id)).length, 1)
    assert.equal((await passkeySignIn(world.browser(), key)).location, '/account')
  })

  it('a code of the app does not open the door of an account that holds the passkey [RA-2203]', async (test) => {
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
    await browser.open(PASSKEY_DOOR)
    const entered = await browser.submit(PASSKEY_DOOR, { response: key.respond(page.html) })

    assert.equal(entered.location, '/account')
    // The code was not even used up: nothing was checked.
    const [app] = await world.database.selectFrom('factor').select('used_at').execute()
    assert.ok((app?.used_at ?? 0) < world.clock.timestamp())
  })

  it('a recovery code opens it still, and an account without the passkey adds it then [RA-2203 FACTOR-33]', async (test) => {
    const { world, ada } = await due(test)
    const by = { accountId: ada.id, ...NOWHERE, credentialVersion: 1 }
    const [code = ''] = (await world.identity.codes.renew(by))?.set.codes ?? []
    const browser = await atDoor(world, ada, RECOVERY)

    assert.equal((await browser.submit(RECOVERY, { code })).location, '/enroll')

    assert.equal(await isAnonymous(browser), true)
    assert.equal((await browser.open('/enroll')).location, ENROLL)
  })

  it('is not met by setting up another app instead, and the enrollment of one account adds nothing to another [RA-0901]', async (test) => {
    const { world, ada } = await due(test)
    const [browser, eve] = [world.browser(), world.browser()]
    await browser.signIn(ada)
    await browser.open(ENROLL)

    assert.equal((await browser.submit('/enroll', { code: await world.code(ada) })).location, ENROLL)

    assert.equal((await world.identity.factors.list(ada.id)).length, 1)
    await eve.signIn(await world.person('eve'))
    await eve.open('/account')
    assert.equal((await eve.submit(ENROLL, { label: 'X', response: '{}' })).location, '/account')
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
})

const MANAGE = ['admin.access', 'accounts.manage'] as const

interface Bound extends Due {
  readonly browser: Browser
  readonly key: SoftwareAuthenticator
  readonly codes: readonly string[]
  readonly page: string
}

/** An administrator with an app and the passkey that the rule asks for, signed in, whose proofs are too old. */
async function bound(test: TestContext): Promise<Bound> {
  const world = await World.create(test, demanding(RULE))
  const ada = await world.person('ada', { permissions: MANAGE, factor: 'enabled' })
  const [app] = await world.identity.factors.list(ada.id)
  const renewed = await world.identity.codes.renew({ accountId: ada.id, ...NOWHERE, credentialVersion: 1 })
  const browser = world.browser()
  await browser.signIn(ada)
  const key = await addPasskey(browser, 'Key')
  world.clock.advance(300)
  const { codes = [] } = renewed?.set ?? {}
  return { world, ada, browser, key, codes, page: `/account/security/factors/${app?.id}/rename` }
}

describe('a step-up under a rule that asks for a passkey', () => {
  it('a code of the app confirms nothing, is not asked for, and is not used up [RA-1401 RA-2203 FACTOR-28]', async (test) => {
    const { world, ada, browser, page } = await bound(test)

    const shown = await browser.open(page, { follow: true })
    assert.match(shown.html, /data-passkey="get"/)
    assert.doesNotMatch(shown.html, /name="code"/)
    const used = await world.database.selectFrom('factor').select('used_at').execute()
    for (const path of [page, '/account/password', ...Object.keys(ofParts('guarded'))]) {
      await browser.open(path, { follow: true })
      const typed = { return_url: path, password: PASSWORD, code: await world.code(ada) }
      const refused = await browser.submit(CONFIRM, typed)

      assert.equal(refused.status, 422, path)
      assert.match((await browser.open(path)).location ?? '', /^\/account\/confirm/, path)
    }
    assert.deepEqual(await world.database.selectFrom('factor').select('used_at').execute(), used)
    assert.equal((await world.events(ada)).includes('step-up-confirmed'), false)
  })

  it('nor does a recovery code for what mends no loss, but it ends the loss of the passkey [RA-1401 RA-2203]', async (test) => {
    const { browser, page, codes } = await bound(test)
    const [first = '', second = ''] = codes
    await browser.open(page, { follow: true })

    const typed = { return_url: page, password: PASSWORD, recovery_code: first }
    assert.equal((await browser.submit(CONFIRM, typed)).status, 422)
    assert.match((await browser.open(page)).location ?? '', /^\/account\/confirm/)
    const lost = { return_url: NEW_PASSKEY, password: PASSWORD, recovery_code: second }
    assert.equal((await browser.submit(CONFIRM, lost)).location, NEW_PASSKEY)
    assert.equal((await browser.open(NEW_PASSKEY)).status, 200)
    assert.match((await browser.open(page)).location ?? '', /^\/account\/confirm/)
  })
})
