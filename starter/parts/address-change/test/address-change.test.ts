import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TestClient } from 'sallyport/testing'
import { ADDRESS_CHANGE_SECONDS } from '../address-change.ts'
import { ADDRESS_RESTORE_DAYS } from '../address-restore.ts'
import { Browser, type Page, PASSWORD, type Person, type World } from '../../../test/support.ts'
import { formAt, testNewIdentifiers } from '../../../test/flow/new-identifiers.ts'
import { confirm, signedIn } from '../../../test/flow/steps.ts'
import { secondProcess } from '../../../test/flow/second-process.ts'

const CHANGE = '/account/address'
const NEW = 'ada@new.example.test'
const DAY_SECONDS = 24 * 60 * 60

/** Path of the link in the newest mail to an address. */
function linkTo(world: World, address: string): string {
  const mail = world.mailbox.list().find(({ to }) => to === address)
  return /https:\/\/app\.test(\/address\/\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

async function ask(
  { world, browser, person }: { readonly world: World; readonly browser: Browser; readonly person: Person },
  email: string = NEW,
): Promise<Page> {
  await confirm(world, browser, { person, path: CHANGE })
  return browser.submit(CHANGE, { email })
}

async function use(browser: Browser, link: string): Promise<Page> {
  // A page without a form has no token: that of another page does as well.
  if ((await browser.open(link)).status === 410) await browser.open('/forgot')
  return browser.submit(link)
}

async function emailOf(world: World, { id }: Person): Promise<string | undefined> {
  return (await world.identity.users.authenticationIdentity(id))?.principal.email
}

describe('the change of an address', () => {
  it('asks for password and second factor first, on GET and POST [RA-0901]', async (test) => {
    const { world, browser, person } = await signedIn(test)
    world.clock.advance(300)

    await browser.open('/account')
    for (const page of [await browser.open(CHANGE), await browser.submit(CHANGE, { email: NEW })])
      assert.match(page.location ?? '', /^\/account\/confirm\?return_url=/)

    assert.equal(
      world.mailbox.list().some(({ to }) => to === NEW),
      false,
    )
    assert.match((await confirm(world, browser, { person, path: CHANGE })).html, /name="email"/)
  })

  it('changes nothing before the link is used, then tells both addresses and signs out every other session [RA-2401 RA-1702]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner
    const other = world.browser()
    await other.signIn(person)
    await other.open('/forgot')
    await other.submit('/forgot', { email: person.email })
    const before = browser.sessionId

    const asked = await ask(owner)
    const link = linkTo(world, NEW)
    const opened = await browser.open(link)
    await browser.client.request('HEAD', link)
    assert.deepEqual([asked.status, asked.location, opened.status], [303, '/account/address/sent', 200])
    assert.equal((await browser.open('/account/address/sent')).status, 200)
    assert.equal(await emailOf(world, person), person.email)
    const done = await browser.submit(link)

    assert.deepEqual([done.status, done.location], [303, '/account'])
    assert.equal(await emailOf(world, person), NEW)
    assert.notEqual(browser.sessionId, before)
    assert.deepEqual([await browser.isSignedIn(), await other.isSignedIn()], [true, false])
    assert.deepEqual(await world.database.selectFrom('password_reset').selectAll().execute(), [])
    const told = world.mailbox.list().slice(0, 2)
    assert.deepEqual(new Set(told.map(({ to }) => to)), new Set([NEW, person.email]))
    for (const { subject } of told) assert.equal(subject, 'The address of your account was changed')
    assert.deepEqual((await world.events(person)).slice(-2), ['address-change-requested', 'address-changed'])
    const trail = JSON.stringify(await world.database.selectFrom('event').selectAll().execute())
    assert.equal(trail.includes('new.example'), false)
    // It is the new address that signs in from now on.
    assert.equal((await world.browser().password(person)).status, 422)
    assert.equal((await world.browser().password({ email: NEW })).location, '/login/2fa')
  })

  it('signs nobody in, in a browser without a session and in one of somebody else [RA-2706]', async (test) => {
    const owner = await signedIn(test)
    const { world, person } = owner
    const bob = await world.person('bob')
    const [empty, others] = [world.browser(), world.browser()]
    await others.signIn(bob)
    await ask(owner)

    const first = await use(empty, linkTo(world, NEW))
    await owner.browser.signIn({ ...person, email: NEW })
    world.clock.advance(30)
    await ask({ ...owner, person: { ...person, email: NEW } }, 'ada@third.example.test')
    const second = await use(others, linkTo(world, 'ada@third.example.test'))

    assert.deepEqual([first.location, second.location], ['/login', '/account'])
    assert.match((await empty.open('/login')).html, /The address was changed/)
    assert.equal(await empty.isSignedIn(), false)
    assert.match((await others.open('/account')).html, /The address was changed[^]*bob@example\.test/)
    assert.equal(await owner.browser.isSignedIn(), false)
  })

  it('does not tell whether somebody has the address; its owner is told [RA-1602]', async (test) => {
    const owner = await signedIn(test)
    const { world } = owner
    const bob = await world.person('bob')

    const free = await ask(owner)
    const taken = await owner.browser.submit(CHANGE, { email: ' BOB@example.test' })

    assert.deepEqual([taken.status, taken.location, taken.html], [free.status, free.location, free.html])
    const [mail] = world.mailbox.list()
    assert.deepEqual([mail?.to, mail?.subject], ['BOB@example.test', 'Your address stays with your account'])
    assert.doesNotMatch(mail?.text ?? '', /https?:/)
    assert.equal(await emailOf(world, bob), bob.email)
    await world.disable(bob)
    const disabled = await owner.browser.submit(CHANGE, { email: 'bob@example.test' })
    assert.deepEqual([disabled.status, disabled.location, disabled.html], [303, free.location, free.html])
    const [told] = world.mailbox.list()
    assert.match(told?.text ?? '', /An administrator disabled your account/)
    assert.doesNotMatch(told?.text ?? '', /sign in with this address/)
    const same = await owner.browser.submit(CHANGE, { email: 'ADA@example.test' })
    assert.deepEqual([same.status, /This is your present address/.test(same.html)], [422, true])
    for (const email of ['ada', 'ada@', 'ada@x y', 'ada@x.test\nBcc: eve@x.test', ''])
      assert.equal((await owner.browser.submit(CHANGE, { email })).status, 422, email)
  })

  it('of two accounts that confirm one address at once in two processes, one gets it, and the other is told [RA-2502]', async (test) => {
    const owner = await signedIn(test)
    const { world } = owner
    const bob = await world.person('bob')
    const app = await secondProcess(test, world)
    const browser = new Browser(world, new TestClient(app, { origin: 'https://app.test' }))
    await browser.signIn(bob)
    await ask(owner)
    const first = linkTo(world, NEW)
    await ask({ world, browser, person: bob })
    const second = linkTo(world, NEW)
    assert.notEqual(first, second)
    await owner.browser.open(first)
    await browser.open(second)

    const pages = await Promise.all([owner.browser.submit(first), browser.submit(second)])

    assert.deepEqual(pages.map(({ status }) => status).toSorted(), [303, 409])
    const holders = [await emailOf(world, owner.person), await emailOf(world, bob)]
    assert.equal(holders.filter((email) => email === NEW).length, 1)
    const loser = pages.find(({ status }) => status === 409)
    assert.match(loser?.html ?? '', /Another account now uses this address/)
    assert.deepEqual([await owner.browser.isSignedIn(), await browser.isSignedIn()], [true, true])
  })

  it('the link works for an hour, is stored as a digest, and ends with the next one and with any change of credentials [RA-1602]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner
    await ask(owner)
    const replaced = linkTo(world, NEW)
    await browser.submit(CHANGE, { email: 'ada@other.example.test' })
    const expired = linkTo(world, 'ada@other.example.test')
    const stored = JSON.stringify(await world.database.selectFrom('address_change').selectAll().execute())
    assert.equal(stored.includes(expired.split('/').at(-1) ?? 'none'), false)
    assert.equal((await use(world.browser(), replaced)).status, 410)
    world.clock.advance(ADDRESS_CHANGE_SECONDS - 1)
    assert.equal((await world.browser().open(expired)).status, 200)
    world.clock.advance(1)
    assert.equal((await use(world.browser(), expired)).status, 410)

    await browser.signIn(person)
    world.clock.advance(30)
    await ask(owner, 'ada@fourth.example.test')
    const ended = linkTo(world, 'ada@fourth.example.test')
    await world.identity.users.endSessions(person.id)
    assert.equal((await world.browser().open(ended)).status, 410)
    for (const link of [ended, '/address/confirm/x', `/address/confirm/${person.id}`])
      assert.equal((await use(world.browser(), link)).status, 410)
    assert.equal(await emailOf(world, person), person.email)
  })

  it('does nothing without the token of the page, and too many mails are refused [RA-0004]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner
    await ask(owner)
    const link = linkTo(world, NEW)
    await browser.open(link)
    assert.equal((await browser.submit(link, { _csrf: 'x' })).status, 403)
    assert.equal(await emailOf(world, person), person.email)

    for (let count = 0; count < 4; count += 1)
      assert.equal((await browser.submit(CHANGE, { email: `ada${count}@new.example.test` })).status, 303)
    const refused = await browser.submit(CHANGE, { email: 'ada5@new.example.test' })

    assert.equal(refused.status, 429)
    assert.equal(
      world.mailbox.list().some(({ to }) => to === 'ada5@new.example.test'),
      false,
    )
  })
})

describe('the link "this was not me" at the former address', () => {
  it('brings the address back, ends every session, signs nobody in, and leads to a new password [RA-1702]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner
    await ask(owner)
    await use(browser, linkTo(world, NEW))
    const link = linkTo(world, person.email)
    assert.match(link, /^\/address\/restore\/[\w-]{43}$/)
    const stranger = world.browser()
    // Whoever changed the address has asked to delete the account.
    const due = world.clock.timestamp() + DAY_SECONDS
    await world.database.updateTable('account').set({ leaves_at: due }).execute()

    await stranger.open('/forgot')
    await stranger.submit('/forgot', { email: NEW })

    const opened = await stranger.open(link)
    assert.equal(await emailOf(world, person), NEW)
    const done = await stranger.submit(link)

    assert.match(opened.html, /ada@example\.test/)
    assert.deepEqual([done.status, done.location], [303, '/forgot'])
    assert.match((await stranger.open('/forgot')).html, /Your address was restored/)
    assert.equal(await emailOf(world, person), person.email)
    assert.deepEqual([await browser.isSignedIn(), await stranger.isSignedIn()], [false, false])
    const told = world.mailbox.list().slice(0, 2)
    assert.deepEqual(new Set(told.map(({ to }) => to)), new Set([NEW, person.email]))
    assert.ok((await world.events(person)).includes('address-restored'))
    const [account] = await world.database.selectFrom('account').select('leaves_at').execute()
    assert.deepEqual(account, { leaves_at: null })
    assert.deepEqual(await world.database.selectFrom('password_reset').selectAll().execute(), [])
    assert.equal((await use(world.browser(), link)).status, 410)
    assert.equal((await world.browser().password(person)).location, '/login/2fa')
  })

  it('outlives a second change; the links of later changes end with it [RA-1702]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner
    await ask(owner)
    await use(browser, linkTo(world, NEW))
    const first = linkTo(world, person.email)
    await browser.submit(CHANGE, { email: 'eve@example.test' })
    await browser.open(CHANGE)
    await browser.submit(CHANGE, { email: 'eve@example.test' })
    await use(browser, linkTo(world, 'eve@example.test'))
    const second = linkTo(world, NEW)
    assert.equal(await emailOf(world, person), 'eve@example.test')
    assert.match(second, /restore/)

    assert.equal((await use(world.browser(), first)).status, 303)

    assert.equal(await emailOf(world, person), person.email)
    assert.equal((await use(world.browser(), second)).status, 410)
  })

  it('works for some days, and tells the truth when somebody has the address by then [RA-1702]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner
    await ask(owner)
    await use(browser, linkTo(world, NEW))
    const link = linkTo(world, person.email)
    world.clock.advance(ADDRESS_RESTORE_DAYS * DAY_SECONDS - 1)
    assert.equal((await world.browser().open(link)).status, 200)
    const passwordHash = await world.hasher.hash(PASSWORD)
    await world.identity.users.add({ email: person.email, name: 'eve', passwordHash }, world.clock)

    const page = await use(world.browser(), link)

    assert.deepEqual([page.status, /now used by another account/.test(page.html)], [409, true])
    assert.equal(await emailOf(world, person), NEW)
    assert.ok((await world.events(person)).includes('objected'))
    await browser.signIn({ ...person, email: NEW })
    world.clock.advance(30)
    await ask({ ...owner, person: { ...person, email: NEW } }, 'ada@last.example.test')
    await use(browser, linkTo(world, 'ada@last.example.test'))
    const late = linkTo(world, NEW)
    world.clock.advance(ADDRESS_RESTORE_DAYS * DAY_SECONDS)
    assert.equal((await use(world.browser(), late)).status, 410)
  })
})

testNewIdentifiers({
  'another address': {
    gains: [],
    before: async (test) => {
      const owner = await signedIn(test)
      await ask(owner)
      return formAt(owner.browser, linkTo(owner.world, NEW))
    },
  },
})
