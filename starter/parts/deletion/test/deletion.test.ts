import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { everyHour } from 'sallyport-app/boot'
import { missing, ofParts } from '../../../test/facts-of-parts.ts'
import { DELETION_DAYS } from '../account-deletion.ts'
import { Erasure } from '../erasure.ts'
import { EVERY_PERMISSION, type Page, PASSWORD, type Person, World } from '../../../test/support.ts'
import { confirm, DOOR, enroll, newestLink, type Owner, signedIn } from '../../../test/flow/steps.ts'
import { secondProcess } from '../../../test/flow/second-process.ts'

const DELETE = '/account/delete'
const DAY_SECONDS = 24 * 60 * 60

const RACES = 20
async function ask({ world, browser, person }: Owner, email: string = person.email): Promise<Page> {
  await confirm(world, browser, { person, path: DELETE })
  return browser.submit(DELETE, { email })
}

async function exists(world: World, { id }: Person): Promise<boolean> {
  return (await world.identity.users.authenticationIdentity(id)) !== null
}

describe('the deletion of an account', () => {
  it('asks for the address of the account, and tells the owner how to keep it [RA-0901]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner

    for (const email of ['eve@example.test', '', 'DELETE'])
      assert.equal((await ask(owner, email)).status, 422)
    assert.equal(await browser.isSignedIn(), true)
    const asked = await ask(owner)

    assert.deepEqual([asked.status, asked.location], [303, '/'])
    assert.equal(await browser.isSignedIn(), false)
    const [mail] = world.mailbox.list()
    assert.deepEqual([mail?.to, mail?.subject], [person.email, 'Your account will be deleted'])
    assert.ok((await world.events(person)).includes('deletion-requested'))
  })

  it('is stopped by a completed sign-in, and not by the password alone [RA-1702]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner
    await ask(owner)
    world.clock.advance(DELETION_DAYS * DAY_SECONDS - 1)
    assert.equal(await world.app.get(Erasure).run(), 0)

    await browser.password(person)
    assert.equal((await world.database.selectFrom('account_deletion').selectAll().execute()).length, 1)
    await browser.code(await world.code(person))

    world.clock.advance(DAY_SECONDS)
    assert.equal(await world.app.get(Erasure).run(), 0)
    assert.equal(await exists(world, person), true)
    assert.ok((await world.events(person)).includes('deletion-stopped'))
    assert.equal(world.mailbox.list()[0]?.subject, 'Your account stays')
  })

  it(
    'is refused for the last administrator, also if the only other one is about to go [RA-2201]',
    { skip: missing('administration') },
    async (test) => {
      const owner = await signedIn(test, { factor: 'enabled', permissions: EVERY_PERMISSION })
      const { world } = owner
      const alone = await ask(owner)
      const grace = await world.person('grace', { factor: 'enabled', permissions: EVERY_PERMISSION })
      const browser = world.browser()
      await browser.signIn(grace)

      assert.deepEqual([alone.status, /would leave no administrator/.test(alone.html)], [422, true])
      assert.equal(await owner.browser.isSignedIn(), true)
      assert.equal((await ask(owner)).status, 303)
      world.clock.advance(30)
      assert.equal((await ask({ world, browser, person: grace })).status, 422)
    },
  )
})

/** An account with everything that an account can have, one second before it is erased. */
async function leaving(test: TestContext): Promise<{ readonly world: World; readonly ada: Person }> {
  const world = await World.create(test, ofParts('settings'))
  const browser = world.browser({ clientAddress: '192.0.2.7', userAgent: 'Firefox/140.0' })
  const { person: ada } = await enroll(world, browser, 'ada')
  await browser.submit('/enroll/done')
  assert.equal((await ask({ world, browser, person: ada })).location, '/')
  world.clock.advance(DELETION_DAYS * DAY_SECONDS - 1)
  return { world, ada }
}

/** Tables in which a row has one of the texts. */
async function tablesWith(world: World, texts: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const { name } of await world.database.introspection.getTables()) {
    // Sessions of logins that nobody finished end by themselves, wherever they are.
    if (name === 'sallyport_session') continue
    const rows = await world.database
      .selectFrom(name as 'account')
      .selectAll()
      .execute()
    const text = JSON.stringify(rows)
    if (texts.some((each) => text.includes(each))) found.push(name)
  }
  return found
}

describe('the erasure of an account that is due', () => {
  it('by the hourly task takes everything of it, tells the owner, and leaves events without name and address [RA-2001 RA-2501]', async (test) => {
    const { world, ada } = await leaving(test)
    // What is under way at the end: mails with links, and logins that nobody finished.
    const [reset, pending, coming] = [world.browser(), world.browser(), world.browser()]
    await reset.send('/forgot', { email: ada.email })
    const forgot = newestLink(world)
    await pending.password(ada)
    for (const { prove } of Object.values(ofParts('doors'))) await prove(pending, world)
    for (const route of Object.keys(ofParts('beside')).filter((each) => each.startsWith('POST '))) {
      await pending.open(DOOR)
      await pending.submit(route.slice(5))
    }
    await coming.send('/sign-up', { email: ada.email })
    await world.browser().password(ada, 'wrong')
    const before = await tablesWith(world, [ada.id, 'ada@'])
    assert.ok(before.length > 7, before.join())
    test.mock.timers.enable({ apis: ['setInterval'] })
    const hourly = (): Promise<unknown> =>
      everyHour([{ name: 'erasure', run: () => world.app.get(Erasure).run() }])()
    await hourly()
    assert.equal(await exists(world, ada), true)

    world.clock.advance(1)
    await hourly()

    assert.deepEqual(await tablesWith(world, [ada.id]), ['event'])
    assert.deepEqual(await tablesWith(world, ['ada@', '"ada"']), [])
    assert.equal(world.mailbox.list()[0]?.subject, 'Your account was deleted')
    for (const browser of [reset, pending, coming]) assert.equal(await browser.isSignedIn(), false)
    assert.equal((await pending.open(DOOR)).location, '/login')
    assert.equal((await reset.open(forgot)).status, 410)
    assert.deepEqual(world.faults, [])
  })

  it('races the sign-in that stops it, many times, in two processes: who is too late is signed in to nothing [RA-2502 RA-0405]', async (test) => {
    const world = await World.create(test)
    const other = (await secondProcess(test, world)).get(Erasure)
    const outcomes = { kept: 0, erased: 0 }

    for (let race = 0; race < RACES; race += 1) {
      const person = await world.person(`ada${race}`)
      const browser = world.browser()
      await browser.signIn(person)
      await ask({ world, browser, person })
      world.clock.advance(DELETION_DAYS * DAY_SECONDS)
      const late = world.browser()
      await late.open('/login')
      // The hash takes longer than the erasure: the odd ones wait until it is under way.
      const wait = race % 2 === 0 ? 0 : race / 2

      const [page, count] = await Promise.all([
        late.submit('/login', { email: person.email, password: PASSWORD }),
        sleep(wait).then(() => other.run()),
      ])

      const isKept = await exists(world, person)
      assert.equal(count, isKept ? 0 : 1)
      assert.equal(await late.isSignedIn(), isKept, String(race))
      assert.ok([303, 422].includes(page.status), `${race}: ${page.status}`)
      assert.equal((await world.events(person)).includes('deletion-stopped'), isKept)
      outcomes[isKept ? 'kept' : 'erased'] += 1
    }

    assert.deepEqual(world.faults, [])
    test.diagnostic(JSON.stringify(outcomes))
  })
})
