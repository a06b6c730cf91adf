import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { AUTHENTICATOR_LIMIT } from '../../../core/limits/limits.ts'
import { UNLOCKED_LIMIT, UNLOCKED_SECONDS } from '../unlock-links.ts'
import { type Browser, PASSWORD, type Page, World } from '../../../test/support.ts'
import { ADD, atDoor, CONFIRM, DOOR, enroll, linkIn, mailsOf, signedIn } from '../../../test/flow/steps.ts'
import { ALL_DOORS, type AnyDoor, APP_DOOR, type Enrolled } from '../../../test/doors.ts'
import { ofParts } from '../../../test/facts-of-parts.ts'
import { failuresOf } from '../../../test/failures.ts'
import { pending } from '../../../test/identity.ts'

const LINK = '/unlock/'
const LOCKED = /^A second step of your account is locked/

// Whatever can be locked can be unlocked.
const LOCKABLE = Object.entries(ALL_DOORS).filter(([, { failures }]) => failures !== undefined)

/** Somebody who is locked out by another one with the password. */
interface Locked extends Enrolled {
  readonly link: string
  /** Sends something wrong. */
  readonly guess: (browser: Browser) => Promise<Page>
}

async function locked(test: TestContext, door: AnyDoor = APP_DOOR): Promise<Locked> {
  const world = await World.create(test, ofParts('settings'))
  const owner = { world, ...(await enroll(world, world.browser(), 'ada')) }
  world.clock.advance(30)
  const guess = async (browser: Browser): Promise<Page> => {
    await browser.password(owner.person)
    return browser.send(door.page, await door.wrong(owner))
  }
  for (let times = 0; times < (door.failures ?? 0); times += 1)
    assert.equal((await guess(world.browser())).status, 422)
  return { ...owner, link: linkIn(world, LINK), guess }
}

describe('the link of a mail about a lock, for every kind that can be locked', () => {
  for (const [kind, door] of LOCKABLE) {
    it(`signs nobody in, and lets a right code in, in that browser only: ${kind} [RA-0802 RA-0803]`, async (test) => {
      const { world, link, guess, ...owner } = await locked(test, door)
      assert.equal(mailsOf(world, LOCKED), 1)
      const browser = world.browser()
      assert.equal((await guess(world.browser())).status, 429)

      assert.equal((await browser.send(link)).location, '/login')

      assert.equal((await browser.open(DOOR)).location, '/login')
      await browser.password(owner.person)
      await browser.open(door.page)
      const fields = await door.prove(browser, { world, ...owner })
      await browser.open(door.page)
      assert.equal((await guess(world.browser())).status, 429)
      assert.equal((await browser.submit(door.page, fields)).location, '/account')
      assert.deepEqual(await failuresOf(world.database, 'unlocked:%'), [], 'a right code is no failure')
    })

    it(`gives five tries, whose failures count for nobody else: ${kind} [RA-0802]`, async (test) => {
      const { world, link, guess } = await locked(test, door)
      const browser = world.browser()
      await browser.send(link)
      const before = await failuresOf(world.database)

      const statuses: number[] = []
      for (let times = 0; times < UNLOCKED_LIMIT.failures + 1; times += 1)
        statuses.push((await guess(browser)).status)

      assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429])
      const after = await failuresOf(world.database)
      const added = after.filter((subject) => subject.startsWith('unlocked:'))
      assert.deepEqual([added.length, after.length], [UNLOCKED_LIMIT.failures, before.length + added.length])
    })
  }
})

describe('a browser that is unlocked', () => {
  for (const [title, seconds] of [
    ['after ten minutes', UNLOCKED_SECONDS],
    ['while the clock is set back', -600],
  ] as const)
    it(`is not so any more ${title} [RA-0802 RA-2708]`, async (test) => {
      const { world, person, link } = await locked(test)
      const browser = world.browser()
      await browser.send(link)

      world.clock.advance(seconds)

      await browser.password(person)
      assert.equal((await browser.code(await world.code(person))).status, 429)
    })

  it('is so for no other account [RA-0802]', async (test) => {
    const { world, link } = await locked(test)
    const eve = await world.person('eve', { factor: 'enabled' })
    for (let times = 0; times < AUTHENTICATOR_LIMIT.failures; times += 1)
      await (await atDoor(world, eve)).code(await world.wrongCode(eve))
    const browser = world.browser()
    await browser.send(link)

    await browser.password(eve)

    assert.equal((await browser.code(await world.code(eve))).status, 429)
  })

  it('has no more tries when 50 come at once [RA-0802]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const identity = await world.identity.users.authenticationIdentity(ada.id)
    assert.ok(identity !== null)
    const unlock = UNLOCKED_LIMIT.of('one')

    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        world.identity.factors.verifyAndConsume(
          identity.principal,
          'no code',
          pending(`challenge ${index}`, { unlock }),
        ),
      ),
    )

    const checked = tries.filter(({ status }) => status === 'fulfilled')
    assert.equal(checked.length, UNLOCKED_LIMIT.failures)
    assert.equal((await world.identity.factors.list(ada.id))[0]?.lockedSeconds, 0)
  })

  it('may be one that is signed in, and was locked at a step-up [RA-0803 RA-1402]', async (test) => {
    const { world, person, browser } = await signedIn(test)
    world.clock.advance(300)
    const asked = `${CONFIRM}?return_url=${ADD}`
    await browser.open(asked)
    const prove = (code: string): Promise<Page> =>
      browser.submit(CONFIRM, { return_url: ADD, password: PASSWORD, code })
    for (let times = 0; times < AUTHENTICATOR_LIMIT.failures; times += 1)
      assert.equal((await prove(await world.wrongCode(person))).status, 422)
    const code = await world.code(person)
    assert.equal((await prove(code)).status, 429)
    assert.equal(mailsOf(world, LOCKED), 1)

    const page = await browser.send(linkIn(world, LINK))

    assert.equal(page.location, '/account/security')
    await browser.open(asked)
    assert.equal((await prove(code)).location, ADD)
    assert.equal((await world.events(person)).filter((kind) => kind === 'code-locked').length, 1)
  })
})
