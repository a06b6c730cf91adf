import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { enroll } from './newcomer.ts'
import { ADD, SECURITY, withSecretOf } from './security-steps.ts'

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

/** Adds the first authenticator, and returns what came back. */
async function register({ world, person, browser }: Owner): Promise<Page> {
  const added = withSecretOf(person, await browser.open(ADD))
  return browser.submit(ADD, { label: 'Phone', code: await world.code(added) })
}

function setOf(page: Page): string {
  return /name="set" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
}

describe('the acknowledgment of recovery codes', () => {
  it('is stored, and the security page says as long as it is missing that the codes may not be kept [RA-1301]', async (test) => {
    const owner = await signedIn(test)
    const { world, person, browser } = owner
    const shown = await register(owner)
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
    const owner = await signedIn(test)
    const { world, browser } = owner
    const first = setOf(await register(owner))
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
    const owner = await signedIn(test)
    const { world, person, browser } = owner
    const set = setOf(await register(owner))
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
  })
})
