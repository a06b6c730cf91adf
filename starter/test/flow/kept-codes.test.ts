import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Browser, type Person, World } from '../support.ts'
import { codesOf, enroll, ADD, SECURITY, withSecretOf, confirm } from './steps.ts'

const PATH = '/account/recovery-codes'
const KEPT = '/account/recovery-codes/kept'
const UNCONFIRMED = /confirmed that you saved these codes/

interface Owner {
  readonly world: World
  readonly browser: Browser
  readonly person: Person
  readonly codes: readonly string[]
}

/** Somebody who has signed up, in a session whose proofs still count. */
async function signedUp(test: TestContext): Promise<Owner> {
  const world = await World.create(test)
  const browser = world.browser()
  const { person, codes } = await enroll(world, browser, 'eve')
  await browser.open('/enroll')
  await browser.submit('/enroll/done')
  world.clock.advance(30)
  await browser.open(PATH)
  return { world, browser, person, codes }
}

/** Whether the owner has confirmed to have kept the present codes. */
async function areKept({ world, person }: Pick<Owner, 'world' | 'person'>): Promise<boolean> {
  return (await world.identity.codes.unconfirmed(person.id)) === undefined
}

function setOf({ html }: { readonly html: string }): string {
  return /name="set" value="([^"]+)"/.exec(html)?.[1] ?? ''
}

describe('new recovery codes', () => {
  it('are shown once, in place of the old ones; a mail tells it, and other sessions end [RA-1301 RA-0603 RA-3001]', async (test) => {
    const { world, browser, person, codes } = await signedUp(test)
    const other = world.browser()
    await other.signIn(person)
    world.clock.advance(30)
    await confirm(world, browser, { person, path: PATH })
    assert.match((await browser.open(PATH)).html, /You have 10 recovery codes left/)

    const page = await browser.submit(PATH)

    const renewed = codesOf(page)
    assert.equal(renewed.length, 10)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.deepEqual(codesOf(await browser.open(PATH)), [])
    assert.match(world.mailbox.list()[0]?.subject ?? '', /New recovery codes/)
    assert.equal((await world.events(person)).at(-1), 'recovery-codes-renewed')
    assert.deepEqual([await browser.isSignedIn(), await other.isSignedIn()], [true, false])
    const later = world.browser()
    await later.password(person)
    await later.open('/login/2fa/recovery')
    assert.equal((await later.submit('/login/2fa/recovery', { code: codes[0] ?? '' })).status, 422)
    assert.equal((await later.submit('/login/2fa/recovery', { code: renewed[0] ?? '' })).location, '/account')
  })
})

describe('the acknowledgment of recovery codes', () => {
  it('is stored, and the security page says as long as it is missing that the codes may not be kept [RA-1301]', async (test) => {
    const world = await World.create(test)
    const person = await world.person('ada')
    const browser = world.browser()
    await browser.signIn(person)
    const added = withSecretOf(person, await browser.open(ADD))
    const shown = await browser.submit(ADD, { label: 'Phone', code: await world.code(added) })
    assert.match((await browser.open(SECURITY)).html, UNCONFIRMED)

    const page = await browser.submit(KEPT, { set: setOf(shown) })

    assert.deepEqual([page.status, page.location], [303, SECURITY])
    assert.doesNotMatch((await browser.open(SECURITY)).html, UNCONFIRMED)
    assert.equal(await areKept({ world, person }), true)
  })

  it('is the button of the sign-up, too, and is asked for again by new codes, but not by the page of earlier ones [RA-1301]', async (test) => {
    const owner = await signedUp(test)
    const { browser } = owner
    assert.equal(await areKept(owner), true)
    const first = setOf(await browser.submit(PATH))
    await browser.open(PATH)
    const second = setOf(await browser.submit(PATH))

    await browser.submit(KEPT, { set: first })
    assert.equal(await areKept(owner), false)
    await browser.submit(KEPT, { set: second })
    assert.equal(await areKept(owner), true)
  })

  it('belongs to the account that is signed in, needs the token of a form, and is nothing that GET does [RA-1301]', async (test) => {
    const owner = await signedUp(test)
    const { world, browser } = owner
    const set = setOf(await browser.submit(PATH))
    const [eve, stranger] = [world.browser(), world.browser()]
    await eve.signIn(await world.person('ann'))
    await eve.open(SECURITY)
    await stranger.open('/login')

    await eve.submit(KEPT, { set })
    assert.equal((await browser.submit(KEPT, { _csrf: 'x', set })).status, 403)
    assert.equal((await browser.client.get(`${KEPT}?set=${set}`)).status, 405)
    assert.equal((await stranger.submit(KEPT, { set })).status, 401)

    assert.equal(await areKept(owner), false)
  })
})
