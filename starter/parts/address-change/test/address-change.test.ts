import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { TestClient } from 'sallyport/testing'
import { Browser, type Page, type Person, type World } from '../../../test/support.ts'
import { confirm, newestLink, type Owner, signedIn } from '../../../test/flow/steps.ts'
import { secondProcess } from '../../../test/flow/second-process.ts'

const CHANGE = '/account/address'

const NEW = 'ada@new.example.test'

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

function assertBothAreTold(world: World, { email }: Person): void {
  const told = world.mailbox.list().slice(0, 2)
  assert.deepEqual(new Set(told.map(({ to }) => to)), new Set([NEW, email]))
}

describe('the change of an address', () => {
  it('changes nothing before the link is used, then tells both addresses, and goes on in this browser only [RA-2401 RA-1702]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner
    await world.browser().send('/forgot', { email: person.email })
    const forgotten = newestLink(world)

    const asked = await ask(owner)
    assert.deepEqual([asked.status, asked.location], [303, '/account/address/sent'])
    assert.equal((await browser.open('/account/address/sent')).status, 200)
    assert.equal(await emailOf(world, person), person.email)
    const done = await browser.send(linkTo(world, NEW))

    assert.deepEqual([done.status, done.location, await browser.isSignedIn()], [303, '/account', true])
    assert.equal((await world.browser().open(forgotten)).status, 410)
    assertBothAreTold(world, person)
    assert.deepEqual((await world.events(person)).slice(-2), ['address-change-requested', 'address-changed'])
    const trail = JSON.stringify(await world.database.selectFrom('event').selectAll().execute())
    assert.equal(trail.includes('new.example'), false)
  })

  it('signs nobody in, and leaves somebody else signed in [RA-2706]', async (test) => {
    const owner = await signedIn(test)
    const { world } = owner
    const others = await world.inside(await world.person('bob'))
    await ask(owner)

    const page = await others.send(linkTo(world, NEW))

    assert.equal(page.location, '/account')
    assert.match((await others.open('/account')).html, /The address was changed[^]*bob@example\.test/)
    assert.equal(await owner.browser.isSignedIn(), false)
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

  it('ends with the next one, and sends few mails [RA-1602 RA-0004]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser } = owner
    await ask(owner)
    const replaced = linkTo(world, NEW)
    const statuses: number[] = []

    for (let count = 0; count < 5; count += 1)
      statuses.push((await browser.submit(CHANGE, { email: `ada${count}@new.example.test` })).status)

    assert.equal((await world.browser().open(replaced)).status, 410)
    assert.deepEqual(statuses, [303, 303, 303, 303, 429])
    assert.equal(world.mailbox.list()[0]?.to, 'ada3@new.example.test')
  })
})

describe('the link "this was not me" at the former address', () => {
  it('brings the address back, stops a deletion that was asked for meanwhile, and leads to a new password [RA-1702]', async (test) => {
    const { world, person, link } = await moved(test)
    const due = world.clock.timestamp() + 24 * 60 * 60
    await world.database.updateTable('account').set({ leaves_at: due }).execute()
    await world.browser().send('/forgot', { email: NEW })
    const forgotten = newestLink(world)

    const done = await world.browser().send(link)

    assert.deepEqual([done.status, done.location], [303, '/forgot'])
    assertBothAreTold(world, person)
    const [account] = await world.database.selectFrom('account').select('leaves_at').execute()
    assert.deepEqual(account, { leaves_at: null })
    assert.equal((await world.browser().open(forgotten)).status, 410)
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
