import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Reminders } from '../reminders.ts'
import { missing } from '../../../test/facts-of-parts.ts'
import { type Person, services, World } from '../../../test/support.ts'
import { secondProcess } from '../../../test/flow/second-process.ts'

const DAY = 24 * 60 * 60
const RECOVERY_WAIT_SECONDS = 3 * DAY
const RECOVERY_OPEN_SECONDS = 7 * DAY
const READY = 'You can set up a new second step now'

function lostLink(world: World, kind: 'confirm' | 'cancel'): string {
  const pattern = new RegExp(`https://app\\.test(/lost/${kind}/[\\w-]{43})`)
  return (
    world.mailbox
      .list()
      .map(({ text }) => pattern.exec(text)?.[1])
      .find((link) => link !== undefined) ?? ''
  )
}

/** Asks for a recovery and confirms it: the waiting time begins. */
async function begin(world: World, person: Person): Promise<void> {
  const browser = world.browser()
  await browser.password(person)
  await browser.open('/lost')
  await browser.submit('/lost')
  const link = lostLink(world, 'confirm')
  await browser.open(link)
  assert.equal((await browser.submit(link)).status, 200)
}

function mailed(world: World, subject: string): number {
  return world.mailbox.list().filter((mail) => mail.subject === subject).length
}

async function speakGerman(world: World, { id }: Person): Promise<void> {
  await world.database.updateTable('account').set({ language: 'de' }).where('id', '=', id).execute()
}

describe('the end of the waiting time of a recovery', { skip: missing('lost-factor') }, () => {
  it('is told once, when it has come, with a link that stops it [RA-2101 RA-2401]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    await begin(world, ada)
    const reminders = world.app.get(Reminders)

    world.clock.advance(RECOVERY_WAIT_SECONDS - 1)
    assert.equal(await reminders.run(), 0)
    world.clock.advance(1)
    assert.equal(await reminders.run(), 1)
    assert.equal(await reminders.run(), 0)

    const [mail] = world.mailbox.list()
    assert.deepEqual([mail?.to, mail?.subject], [ada.email, READY])
    assert.match(mail?.text ?? '', /until 11 January 2026 at 00:00 UTC:\n\nhttps:\/\/app\.test\/login\n/)
    const browser = world.browser()
    const link = lostLink(world, 'cancel')
    await browser.open(link)
    assert.match((await browser.submit(link)).html, /The recovery was stopped/)
    world.clock.advance(DAY)
    assert.equal(await reminders.run(), 0)
  })

  it('leads on: the password, and the page that goes on [RA-2101]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    await begin(world, ada)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    await world.app.get(Reminders).run()
    const browser = world.browser()

    await browser.password(ada)
    await browser.open('/lost')

    assert.equal((await browser.submit('/lost/continue')).location, '/enroll')
  })

  it('is told in the language of the account [RA-2401]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    await speakGerman(world, ada)
    await begin(world, ada)
    world.clock.advance(RECOVERY_WAIT_SECONDS)

    await world.app.get(Reminders).run()

    const [mail] = world.mailbox.list()
    assert.equal(mail?.subject, 'Sie können jetzt einen neuen zweiten Schritt einrichten')
    assert.match(mail?.text ?? '', /bis 11\. Januar 2026 um 00:00 UTC/)
  })

  it('is told of no recovery that was stopped, has run out, or belongs to other credentials [RA-2101]', async (test) => {
    const world = await World.create(test)
    const people: Person[] = []
    for (const name of ['ada', 'bob', 'eve', 'tim', 'zoe'])
      people.push(await world.person(name, { factor: 'enabled' }))
    const [ada, bob, eve, tim, zoe] = people
    assert.ok(ada && bob && eve && tim && zoe)
    for (const person of people) await begin(world, person)
    world.clock.advance(60)
    await world.browser().signIn(ada)
    await world.identity.users.endSessions(bob.id)
    await world.disable(eve)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    assert.equal(await world.app.get(Reminders).run(), 2)
    assert.deepEqual(
      world.mailbox
        .list()
        .filter(({ subject }) => subject === READY)
        .map(({ to }) => to)
        .toSorted(),
      [tim.email, zoe.email],
    )

    const late = await World.create(test)
    await begin(late, await late.person('ada', { factor: 'enabled' }))
    late.clock.advance(RECOVERY_WAIT_SECONDS + RECOVERY_OPEN_SECONDS)
    assert.equal(await late.app.get(Reminders).run(), 0)
  })
  it('is told once by 50 runs at the same time, in two processes [RA-2502]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    await begin(world, ada)
    world.clock.advance(4 * DAY)
    const other = (await secondProcess(test, world)).get(Reminders)

    const counts = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? world.app.get(Reminders) : other).run()),
    )

    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      1,
    )
    assert.equal(mailed(world, READY), 1)
  })

  it('is told once, and not before its time, when the clock is set back [HOLD-50]', async (test) => {
    const world = await World.create(test)
    await begin(world, await world.person('ada', { factor: 'enabled' }))
    const reminders = world.app.get(Reminders)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    assert.equal(await reminders.run(), 1)

    for (const seconds of [-900, -DAY, 900 + DAY]) {
      world.clock.advance(seconds)
      assert.equal(await reminders.run(), 0)
    }

    assert.equal(mailed(world, READY), 1)
  })

  it('is noted nowhere while no mails are sent', async (test) => {
    const world = await World.create(test)
    await begin(world, await world.person('ada', { factor: 'enabled' }))
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    const { database, clock } = world
    const mute = (await services({ database, clock })).get(Reminders)

    assert.equal(await mute.run(), 0)

    assert.equal(await world.app.get(Reminders).run(), 1)
  })
})
