import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { TestClient } from 'sallyport/testing'
import { ADDRESS_CHANGE_SECONDS } from '../address-change.ts'
import { ADDRESS_RESTORE_DAYS } from '../address-restore.ts'
import { Browser, type Page, type Person, type World } from '../../../test/support.ts'
import { testMailLinks } from '../../../test/flow/mail-link.ts'
import { formAt, testNewIdentifiers } from '../../../test/flow/new-identifiers.ts'
import { confirm, newestLink, type Owner, signedIn } from '../../../test/flow/steps.ts'
import { secondProcess } from '../../../test/flow/second-process.ts'

const CHANGE = '/account/address'

const NEW = 'ada@new.example.test'
const DAY_SECONDS = 24 * 60 * 60

/** Path of the link in the newest mail to an address. */
function linkTo(world: World, address: string): string {
  const mail = world.mailbox.list().find(({ to }) => to === address)
  return /https:\/\/app\.test(\/address\/\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

async function ask({ world, browser, person }: Owner, email: string = NEW): Promise<Page> {
  await confirm(world, browser, { person, path: CHANGE })
  return browser.submit(CHANGE, { email })
}

/** Somebody with a new address. The link brings the former one back. */
async function moved(test: TestContext): Promise<Owner & { readonly link: string }> {
  const owner = await signedIn(test)
  await ask(owner)
  await owner.browser.send(linkTo(owner.world, NEW))
  return { ...owner, link: linkTo(owner.world, owner.person.email) }
}

async function emailOf(world: World, { id }: Person): Promise<string | undefined> {
  return (await world.identity.users.authenticationIdentity(id))?.principal.email
}

describe('the change of an address', () => {
  it('changes nothing before the link is used, then tells both addresses and signs out every other session [RA-2401 RA-1702]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner
    const other = world.browser()
    await other.signIn(person)
    await other.send('/forgot', { email: person.email })
    const forgotten = newestLink(world)
    const before = browser.sessionId

    const asked = await ask(owner)
    const link = linkTo(world, NEW)
    assert.deepEqual([asked.status, asked.location], [303, '/account/address/sent'])
    assert.equal((await browser.open('/account/address/sent')).status, 200)
    assert.equal(await emailOf(world, person), person.email)
    const done = await browser.send(link)

    assert.deepEqual([done.status, done.location], [303, '/account'])
    assert.equal(await emailOf(world, person), NEW)
    assert.notEqual(browser.sessionId, before)
    assert.deepEqual([await browser.isSignedIn(), await other.isSignedIn()], [true, false])
    assert.equal((await world.browser().open(forgotten)).status, 410)
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

  it('signs nobody in, and leaves somebody else signed in [RA-2706]', async (test) => {
    const owner = await signedIn(test)
    const { world } = owner
    const [empty, others] = [world.browser(), world.browser()]
    await others.signIn(await world.person('bob'))
    await ask(owner)
    const link = linkTo(world, NEW)
    await empty.open(link)

    const page = await others.send(link)

    assert.equal(page.location, '/account')
    assert.match((await others.open('/account')).html, /The address was changed[^]*bob@example\.test/)
    assert.equal((await empty.submit(link)).status, 410)
    assert.deepEqual([await empty.isSignedIn(), await owner.browser.isSignedIn()], [false, false])
  })

  it('does not tell whether somebody has the address; its owner is told [RA-1602]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser } = owner
    await world.person('bob')
    await world.disable(await world.person('dan'))
    await confirm(world, browser, { person: owner.person, path: CHANGE })
    const seen = new Set<string>()

    for (const email of [NEW, ' BOB@example.test', 'dan@example.test']) {
      const { status, location, html } = await browser.submit(CHANGE, { email })
      seen.add(JSON.stringify([status, location, html]))
    }

    assert.equal(seen.size, 1)
    const [toDan, toBob] = world.mailbox.list()
    assert.deepEqual(
      [toBob?.to, toBob?.subject],
      ['BOB@example.test', 'Your address stays with your account'],
    )
    assert.equal(toDan?.to, 'dan@example.test')
    for (const mail of [toDan, toBob]) assert.doesNotMatch(mail?.text ?? '', /https?:/)
    for (const email of ['ADA@example.test', 'ada', 'ada@', 'ada@x y', 'ada@x.test\nBcc: eve@x.test', ''])
      assert.equal((await browser.submit(CHANGE, { email })).status, 422, email)
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
    assert.deepEqual([await owner.browser.isSignedIn(), await browser.isSignedIn()], [true, true])
  })

  it('ends with the next one, and with any change of credentials [RA-1602]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner
    await ask(owner)
    const replaced = linkTo(world, NEW)
    await browser.submit(CHANGE, { email: 'ada@other.example.test' })
    const ended = linkTo(world, 'ada@other.example.test')
    assert.equal((await world.browser().open(replaced)).status, 410)
    const late = world.browser()
    await late.open(ended)

    await world.identity.users.endSessions(person.id)

    assert.equal((await late.submit(ended)).status, 410)
    assert.equal(await emailOf(world, person), person.email)
  })

  it('sends few mails [RA-0004]', async (test) => {
    const owner = await signedIn(test)
    await ask(owner)
    const statuses: number[] = []

    for (let count = 0; count < 5; count += 1)
      statuses.push((await owner.browser.submit(CHANGE, { email: `ada${count}@new.example.test` })).status)

    assert.deepEqual(statuses, [303, 303, 303, 303, 429])
    assert.equal(owner.world.mailbox.list()[0]?.to, 'ada3@new.example.test')
  })
})

describe('the link "this was not me" at the former address', () => {
  it('brings the address back, ends every session, signs nobody in, and leads to a new password [RA-1702]', async (test) => {
    const { world, browser, person, link } = await moved(test)
    const stranger = world.browser()
    // Whoever changed the address has asked to delete the account.
    const due = world.clock.timestamp() + DAY_SECONDS
    await world.database.updateTable('account').set({ leaves_at: due }).execute()
    await stranger.send('/forgot', { email: NEW })
    const forgotten = newestLink(world)

    const done = await stranger.send(link)

    assert.deepEqual([done.status, done.location], [303, '/forgot'])
    assert.equal(await emailOf(world, person), person.email)
    assert.deepEqual([await browser.isSignedIn(), await stranger.isSignedIn()], [false, false])
    const told = world.mailbox.list().slice(0, 2)
    assert.deepEqual(new Set(told.map(({ to }) => to)), new Set([NEW, person.email]))
    assert.ok((await world.events(person)).includes('address-restored'))
    const [account] = await world.database.selectFrom('account').select('leaves_at').execute()
    assert.deepEqual(account, { leaves_at: null })
    assert.equal((await world.browser().open(forgotten)).status, 410)
    assert.equal((await world.browser().password(person)).location, '/login/2fa')
  })

  it('outlives a second change; the links of later changes end with it [RA-1702]', async (test) => {
    const { world, browser, person, link } = await moved(test)
    await browser.send(CHANGE, { email: 'eve@example.test' })
    await browser.send(linkTo(world, 'eve@example.test'))
    const second = linkTo(world, NEW)
    assert.equal(await emailOf(world, person), 'eve@example.test')
    assert.match(second, /restore/)

    assert.equal((await world.browser().send(link)).status, 303)

    assert.equal(await emailOf(world, person), person.email)
    assert.equal((await world.browser().open(second)).status, 410)
  })

  it('tells the truth when somebody has the address by then [RA-1702]', async (test) => {
    const { world, person, link } = await moved(test)
    await world.person('ada')

    const page = await world.browser().send(link)

    assert.deepEqual([page.status, /now used by another account/.test(page.html)], [409, true])
    assert.equal(await emailOf(world, person), NEW)
    assert.ok((await world.events(person)).includes('objected'))
  })
})

/** Somebody asks for a new address. @returns Whose session it is. */
async function asking(world: World): Promise<Owner> {
  const person = await world.person('ada')
  const browser = world.browser()
  await browser.signIn(person)
  await ask({ world, browser, person })
  return { world, browser, person }
}

testMailLinks({
  'the link to a new address': {
    clauses: '[RA-1602]',
    make: async (world) => {
      await asking(world)
      return linkTo(world, NEW)
    },
    event: 'address-changed',
    table: 'address_change',
    seconds: ADDRESS_CHANGE_SECONDS,
  },
  'the link back to the former address': {
    clauses: '[RA-1702]',
    make: async (world) => {
      const { browser, person } = await asking(world)
      await browser.send(linkTo(world, NEW))
      return linkTo(world, person.email)
    },
    event: 'address-restored',
    table: 'address_restore',
    seconds: ADDRESS_RESTORE_DAYS * DAY_SECONDS,
  },
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
