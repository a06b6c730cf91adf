import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { remind } from '../part.ts'
import { act, missing } from '../../../test/facts-of-parts.ts'
import { type Person, services, World } from '../../../test/support.ts'
import { atDoor, linkIn, mailsOf } from '../../../test/flow/steps.ts'
import { secondProcess } from '../../../test/flow/second-process.ts'

const DAY = 24 * 60 * 60
const RECOVERY_WAIT_SECONDS = 3 * DAY
const RECOVERY_OPEN_SECONDS = 7 * DAY
const READY = /^You can set up a new second step now$/

/** A recovery whose waiting time runs. */
async function waiting(test: TestContext): Promise<{ readonly world: World; readonly ada: Person }> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor: 'enabled' })
  await act('loseFactors')(world, ada)
  return { world, ada }
}

describe('the end of the waiting time of a recovery', { skip: missing('lost-factor') }, () => {
  it('is told once, when it has come, with the way on and a link that stops it [RA-2101 RA-2401]', async (test) => {
    const { world, ada } = await waiting(test)

    world.clock.advance(RECOVERY_WAIT_SECONDS - 1)
    assert.equal(await remind(world.app), 0)
    world.clock.advance(1)
    assert.equal(await remind(world.app), 1)
    assert.equal(await remind(world.app), 0)

    const [mail] = world.mailbox.list()
    assert.deepEqual([mail?.to, mailsOf(world, READY)], [ada.email, 1])
    assert.match(mail?.text ?? '', /until 11 January 2026 at 00:00 UTC:\n\nhttps:\/\/app\.test\/login\n/)
    const browser = await atDoor(world, ada, '/lost')
    assert.equal((await browser.submit('/lost/continue')).location, '/enroll')
    assert.match((await browser.send(linkIn(world, '/lost/cancel/'))).html, /The recovery was stopped/)
    world.clock.advance(DAY)
    assert.equal(await remind(world.app), 0)
  })

  it('is told of no recovery that was stopped, has run out, or belongs to other credentials [RA-2101]', async (test) => {
    const { world, ada } = await waiting(test)
    const holder = (name: string): Promise<Person> => world.person(name, { factor: 'enabled' })
    const [bob, eve, tim] = [await holder('bob'), await holder('eve'), await holder('tim')]
    for (const person of [bob, eve, tim]) await act('loseFactors')(world, person)
    world.clock.advance(60)
    await world.browser().signIn(ada)
    await world.identity.users.endSessions(bob.id)
    await world.disable(eve)
    world.clock.advance(RECOVERY_WAIT_SECONDS)

    assert.equal(await remind(world.app), 1)

    assert.equal(world.mailbox.list().find(({ subject }) => READY.test(subject))?.to, tim.email)
    const late = await waiting(test)
    late.world.clock.advance(RECOVERY_WAIT_SECONDS + RECOVERY_OPEN_SECONDS)
    assert.equal(await remind(late.world.app), 0)
  })

  it('is told once by 50 runs at the same time in two processes, and when the clock is set back [RA-2502 HOLD-50]', async (test) => {
    const { world } = await waiting(test)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    const other = await secondProcess(test, world)

    await Promise.all(Array.from({ length: 50 }, (_, index) => remind(index % 2 === 0 ? world.app : other)))
    assert.equal(mailsOf(world, READY), 1)
    for (const seconds of [-900, -DAY, 900 + DAY]) {
      world.clock.advance(seconds)
      assert.equal(await remind(world.app), 0)
    }
    assert.equal(mailsOf(world, READY), 1)
  })

  it('is noted nowhere while no mails are sent', async (test) => {
    const { world } = await waiting(test)
    world.clock.advance(RECOVERY_WAIT_SECONDS)
    const { database, clock } = world
    const mute = await services({ database, clock })

    assert.equal(await remind(mute), 0)

    assert.equal(await remind(world.app), 1)
  })
})
