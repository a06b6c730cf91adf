import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { SoftwareAuthenticator } from '../software-authenticator.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { codesOf, enroll } from './newcomer.ts'
import { addPasskey, NEW_PASSKEY } from './passkey-steps.ts'
import { addFactor, SECURITY } from './security-steps.ts'

const CODES = '/account/recovery-codes'
const KEPT = '/account/recovery-codes/kept'
const UNCONFIRMED = /confirmed that you saved these codes/

interface Owner {
  readonly world: World
  readonly person: Person
  readonly browser: Browser
}

/** Somebody without a second factor who has just signed in. */
async function signedIn(test: TestContext): Promise<Owner> {
  const world = await World.create(test)
  const person = await world.person('ada')
  const browser = world.browser()
  await browser.signIn(person)
  return { world, person, browser }
}

/** Registers a passkey, and returns what came back. */
async function register(browser: Browser): Promise<Page> {
  const form = await browser.open(NEW_PASSKEY)
  return browser.submit(NEW_PASSKEY, {
    label: 'Key',
    response: new SoftwareAuthenticator().register(form.html),
  })
}

function setOf(page: Page): string {
  return /name="set" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
}

describe('the first factor, when it is a passkey', () => {
  it('comes with recovery codes, on the page of an app, shown once and stored hashed [RA-1301 FACTOR-14]', async (test) => {
    const { world, person, browser } = await signedIn(test)

    const page = await register(browser)

    const codes = codesOf(page)
    assert.deepEqual([page.status, codes.length, page.headers.get('cache-control')], [200, 10, 'no-store'])
    assert.match(page.html, /download="recovery-codes.txt"[^]*I.{1,5}ve saved them/)
    assert.equal(await world.identity.codes.left(person.id), 10)
    const rows = JSON.stringify(await world.database.selectFrom('recovery_code').selectAll().execute())
    for (const code of codes) assert.equal(rows.includes(code.slice(-4)), false)
    const later = world.browser()
    await later.password(person)
    await later.open('/login/2fa/recovery')
    assert.equal((await later.submit('/login/2fa/recovery', { code: codes[3] ?? '' })).location, '/account')
  })

  it('a second passkey, and one beside an app, leaves the codes as they are [RA-1301]', async (test) => {
    const { world, person, browser } = await signedIn(test)
    const key = await addPasskey(browser, 'Key')
    const before = await world.database.selectFrom('recovery_code').selectAll().execute()
    // The first one changed what the session must have proven.
    const asked = await browser.open(NEW_PASSKEY, { follow: true })
    await browser.submit('/account/confirm/passkey', { response: key.respond(asked.html) })

    const second = await register(browser)

    assert.equal(second.location, SECURITY)
    assert.equal((await world.identity.passkeys.list(person.id)).length, 2)
    assert.deepEqual(await world.database.selectFrom('recovery_code').selectAll().execute(), before)
    assert.equal(await world.identity.codes.left(person.id), 10)
  })

  it('of fifty posts at once, one adds it and shows codes that count [RA-2702]', async (test) => {
    const { world, person, browser } = await signedIn(test)
    const form = await browser.open(NEW_PASSKEY)
    const response = new SoftwareAuthenticator().register(form.html)
    const twins = Array.from({ length: 50 }, () => browser.twin())

    const pages = await Promise.all(twins.map((twin) => twin.submit(NEW_PASSKEY, { label: 'Key', response })))

    const shown = pages.filter((page) => codesOf(page).length > 0)
    assert.equal(shown.length, 1)
    assert.equal(await world.identity.codes.left(person.id), 10)
    const [page] = shown
    const later = world.browser()
    await later.password(person)
    await later.open('/login/2fa/recovery')
    const code = page === undefined ? '' : (codesOf(page)[0] ?? '')
    assert.equal((await later.submit('/login/2fa/recovery', { code })).location, '/account')
    assert.deepEqual(world.faults, [])
  })

  it('is not added by a session whose account has changed meanwhile [RA-3001]', async (test) => {
    const { world, person, browser } = await signedIn(test)
    const form = await browser.open(NEW_PASSKEY)
    const slow = browser.twin()
    await addFactor({ world, person, browser }, 'Phone')

    const response = new SoftwareAuthenticator().register(form.html)
    const page = await slow.submit(NEW_PASSKEY, { label: 'Key', response })

    assert.notEqual(page.status, 200)
    assert.deepEqual(await world.identity.passkeys.list(person.id), [])
    assert.deepEqual(codesOf(page), [])
  })

  it('takes its codes with it when it is removed as the last one [FACTOR-34]', async (test) => {
    const { world, person, browser } = await signedIn(test)
    await addPasskey(browser, 'Key')
    const [passkey] = await world.identity.passkeys.list(person.id)
    const identity = await world.identity.users.authenticationIdentity(person.id)
    const credentialVersion = identity?.credentialVersion ?? 0
    const own = { accountId: person.id, id: passkey?.id ?? '', clientAddress: '', device: '' }

    await world.identity.passkeys.remove(own, { credentialVersion })

    assert.equal(await world.identity.codes.left(person.id), 0)
    assert.equal(await world.identity.codes.unconfirmed(person.id), undefined)
  })
})

describe('the acknowledgment of recovery codes', () => {
  it('is stored, and the security page says as long as it is missing that the codes may not be kept [RA-1301]', async (test) => {
    const { world, person, browser } = await signedIn(test)
    const shown = await register(browser)
    assert.match((await browser.open(SECURITY)).html, UNCONFIRMED)
    assert.match((await browser.open(SECURITY)).html, UNCONFIRMED)

    const page = await browser.submit(KEPT, { set: setOf(shown) })

    assert.deepEqual([page.status, page.location], [303, SECURITY])
    const security = await browser.open(SECURITY)
    assert.match(security.html, /Recovery codes saved/)
    assert.doesNotMatch(security.html, UNCONFIRMED)
    const [row] = await world.database.selectFrom('recovery_code_set').selectAll().execute()
    assert.deepEqual([row?.account_id, row?.kept_at], [person.id, world.clock.timestamp()])
  })

  it('is asked for again by renewed codes, and the page of earlier ones does not confirm them [RA-1301]', async (test) => {
    const { world, browser } = await signedIn(test)
    const first = setOf(await register(browser))
    await browser.submit(KEPT, { set: first })
    await world.database.updateTable('factor').set({ used_at: 1 }).execute()
    await world.database.deleteFrom('factor').execute()
    const ada = await world.identity.users.findByEmail('ada@example.test')
    const asked = { clientAddress: '', device: '', credentialVersion: 2 }
    const renewed = await world.identity.codes.renew(ada?.id ?? '', asked)
    assert.ok(renewed !== undefined)

    const later = world.browser()
    await later.password({ email: 'ada@example.test' })
    await later.open(SECURITY)
    assert.equal((await later.submit(KEPT, { set: first })).location, SECURITY)
    assert.notEqual(await world.identity.codes.unconfirmed(ada?.id ?? ''), undefined)
    assert.match((await later.open(SECURITY)).html, /page you used was out of date/)
    await later.submit(KEPT, { set: renewed.set.id })
    assert.equal(await world.identity.codes.unconfirmed(ada?.id ?? ''), undefined)
  })

  it('is the button of the sign-up, too [RA-1301]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    const { person } = await enroll(world, browser, 'eve')
    assert.notEqual(await world.identity.codes.unconfirmed(person.id), undefined)

    await browser.open('/enroll')
    await browser.submit('/enroll/done')

    assert.equal(await world.identity.codes.unconfirmed(person.id), undefined)
    assert.doesNotMatch((await browser.open(SECURITY)).html, UNCONFIRMED)
  })

  it('belongs to the account that is signed in, needs the token of a form, and is nothing that GET does [RA-1301]', async (test) => {
    const { world, person, browser } = await signedIn(test)
    const set = setOf(await register(browser))
    const eve = world.browser()
    await eve.signIn(await world.person('eve'))
    await eve.open(SECURITY)

    await eve.submit(KEPT, { set })
    assert.equal((await browser.submit(KEPT, { _csrf: 'x', set })).status, 403)
    assert.equal((await browser.client.get(`${KEPT}?set=${set}`)).status, 405)
    const stranger = world.browser()
    await stranger.open('/login')
    assert.equal((await stranger.submit(KEPT, { set })).status, 401)

    assert.notEqual(await world.identity.codes.unconfirmed(person.id), undefined)
    assert.match((await browser.open(CODES)).location ?? '', /confirm/)
  })
})
