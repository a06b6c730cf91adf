import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { AUTHENTICATOR_LIMIT } from '../../../core/limits/limits.ts'
import { type Browser, PASSWORD, type Page, type Person, World } from '../../../test/support.ts'
import { ADD, CONFIRM, signedIn } from '../../../test/flow/steps.ts'
import { pending } from '../../../test/identity.ts'
import { UNLOCK_LINK_SECONDS, UNLOCKED_LIMIT, UNLOCKED_SECONDS } from '../unlock-links.ts'

const LOCKED = 'A second step of your account is locked'
const UNLOCKED = 'A browser was unlocked for your account'

function count(world: World, subject: string): number {
  return world.mailbox.list().filter((mail) => mail.subject === subject).length
}

/** Path of the link in the newest mail that has one. */
function linkOf(world: World): string {
  const found = world.mailbox
    .list()
    .map(({ text }) => /https:\/\/app\.test(\/unlock\/[\w-]{43})/.exec(text)?.[1])
  return found.find((link) => link !== undefined) ?? ''
}

/** What somebody with the password does. */
async function lock(world: World, person: Person): Promise<void> {
  for (let times = 0; times < AUTHENTICATOR_LIMIT.failures; times += 1) {
    const attacker = world.browser()
    await attacker.password(person)
    assert.equal((await attacker.code(await world.wrongCode(person))).status, 422)
  }
}

async function locked(test: TestContext): Promise<{ readonly world: World; readonly ada: Person }> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor: 'enabled' })
  await lock(world, ada)
  return { world, ada }
}

async function unlock(browser: Browser, link: string): Promise<Page> {
  await browser.open(link)
  return browser.submit(link)
}

async function codeAfterPassword(world: World, browser: Browser, person: Person): Promise<Page> {
  await browser.password(person)
  return browser.code(await world.code(person))
}

describe('the link of a mail about a lock', () => {
  it('an attacker with the password, who goes on, neither keeps the owner out nor gains a try [RA-0802]', async (test) => {
    const { world, ada } = await locked(test)
    const [owner, attacker] = [world.browser(), world.browser()]
    await attacker.password(ada)
    await unlock(owner, linkOf(world))
    await owner.password(ada)

    const guesses: number[] = []
    for (let times = 0; times < 20; times += 1)
      guesses.push((await attacker.code(await world.wrongCode(ada))).status)

    assert.deepEqual([...new Set(guesses)], [429])
    assert.equal((await owner.code(await world.code(ada))).location, '/account')
  })

  it('signs nobody in, and asks for password and code as always [RA-0802]', async (test) => {
    const { world, ada } = await locked(test)
    const browser = world.browser()

    await unlock(browser, linkOf(world))

    assert.equal(await browser.isSignedIn(), false)
    assert.deepEqual(
      Object.keys(await browser.session()).filter((key) => key === '_auth' || key === '_2fa'),
      [],
    )
    assert.equal((await browser.open('/login/2fa')).location, '/login')
    await browser.password(ada)
    assert.equal((await browser.code(await world.wrongCode(ada))).status, 422)
  })

  it('changes nothing when it is opened, and needs the token of its form [RA-0802]', async (test) => {
    const { world, ada } = await locked(test)
    const link = linkOf(world)
    const before = await world.database.selectFrom('factor_unlock').selectAll().execute()
    const browser = world.browser()

    for (const method of ['GET', 'HEAD'] as const)
      assert.equal((await browser.client.request(method, link)).status, 200)
    const forged = await world.browser().submit(link)

    assert.equal(forged.status, 403)
    assert.deepEqual(await world.database.selectFrom('factor_unlock').selectAll().execute(), before)
    assert.equal((await codeAfterPassword(world, browser, ada)).status, 429)
  })

  it('of 50 posts at once, one unlocks [RA-0802 RA-2502]', async (test) => {
    const { world } = await locked(test)
    const link = linkOf(world)
    const browsers = Array.from({ length: 50 }, () => world.browser())
    for (const browser of browsers) await browser.open(link)

    const pages = await Promise.all(browsers.map((browser) => browser.submit(link)))

    assert.equal(pages.filter(({ status }) => status === 303).length, 1)
    assert.equal(pages.filter(({ status }) => status === 410).length, 49)
    assert.equal(count(world, UNLOCKED), 1)
  })

  it('cannot be used too late, and nobody is told [RA-0802 RA-0803]', async (test) => {
    const { world } = await locked(test)
    const link = linkOf(world)
    world.clock.advance(UNLOCK_LINK_SECONDS)

    for (let times = 0; times < 2; times += 1) {
      const browser = world.browser()
      assert.equal((await browser.open(link)).status, 410)
      await browser.open('/login')
      assert.equal((await browser.submit(link)).status, 410)
    }

    assert.equal(count(world, UNLOCKED), 0)
    assert.equal((await world.browser().open(`/unlock/${'A'.repeat(43)}`)).status, 410)
  })

  it('ends with the credentials that it belongs to, and with the account [RA-0802]', async (test) => {
    for (const change of ['credential_version', 'state'] as const) {
      const { world, ada } = await locked(test)
      const values = change === 'state' ? { state: 'disabled' as const } : { credential_version: 9 }
      await world.database.updateTable('account').set(values).where('id', '=', ada.id).execute()
      const browser = world.browser()
      await browser.open('/login')

      assert.equal((await browser.submit(linkOf(world))).status, 410)
    }
  })

  it('is worth nothing for another account [RA-0802]', async (test) => {
    const { world } = await locked(test)
    const link = linkOf(world)
    const eve = await world.person('eve', { factor: 'enabled' })
    await lock(world, eve)
    const browser = world.browser()

    await unlock(browser, link)

    assert.equal((await codeAfterPassword(world, browser, eve)).status, 429)
  })

  it('counts its tries also when 50 come at once [RA-0802]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const identity = await world.identity.users.authenticationIdentity(ada.id)
    assert.ok(identity !== null)
    const { principal } = identity

    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        world.identity.factors.verifyAndConsume(
          principal,
          'no code',
          pending(`challenge ${index}`, { unlock: UNLOCKED_LIMIT.of('one') }),
        ),
      ),
    )

    const checked = tries.filter(({ status }) => status === 'fulfilled')
    assert.equal(checked.length, UNLOCKED_LIMIT.failures)
    assert.equal((await world.identity.factors.list(ada.id))[0]?.lockedSeconds, 0)
  })

  it('holds no longer than ten minutes [RA-0802]', async (test) => {
    const { world, ada } = await locked(test)
    const browser = world.browser()
    await unlock(browser, linkOf(world))
    world.clock.advance(UNLOCKED_SECONDS)

    assert.equal((await codeAfterPassword(world, browser, ada)).status, 429)
  })

  it('is mailed for a lock of the step-up as well, and unlocks the signed-in browser [RA-0803 RA-1402]', async (test) => {
    const { world, person, browser } = await signedIn(test)
    world.clock.advance(300)
    const asked = `${CONFIRM}?return_url=${ADD}`
    await browser.open(asked)
    const fields = { return_url: ADD, password: PASSWORD }
    for (let times = 0; times < AUTHENTICATOR_LIMIT.failures; times += 1)
      assert.equal(
        (await browser.submit(CONFIRM, { ...fields, code: await world.wrongCode(person) })).status,
        422,
      )
    const code = await world.code(person)
    assert.equal((await browser.submit(CONFIRM, { ...fields, code })).status, 429)
    assert.equal(count(world, LOCKED), 1)

    const page = await unlock(browser, linkOf(world))

    assert.equal(page.location, '/account/security')
    await browser.open(asked)
    assert.equal((await browser.submit(CONFIRM, { ...fields, code })).location, ADD)
    assert.equal((await world.events(person)).filter((kind) => kind === 'code-locked').length, 1)
  })

  it('gives the session a new identifier, and the one before gets no further [MEND-07]', async (test) => {
    const { world, ada } = await locked(test)
    const owner = world.browser()
    await owner.password(ada)
    const link = linkOf(world)
    await owner.open(link)
    const [known, knowing] = [owner.sessionId, owner.twin()]

    assert.equal((await owner.submit(link)).location, '/login/2fa')

    assert.notEqual(owner.sessionId, known)
    assert.equal((await knowing.open('/login/2fa')).location, '/login')
    assert.deepEqual((await owner.session())['unlocked'] !== undefined, true)
  })

  for (const back of [10 * 60, 60 * 60, 24 * 60 * 60])
    it(`opens nothing when the clock is set back by ${back / 60} minutes, nor does the browser [RA-2708]`, async (test) => {
      const { world, ada } = await locked(test)
      const unlocked = world.browser()
      assert.equal((await unlock(unlocked, linkOf(world))).location, '/login')
      const bob = await world.person('bob', { factor: 'enabled' })
      await lock(world, bob)
      const link = linkOf(world)

      world.clock.advance(-back)

      assert.notEqual((await unlock(world.browser(), link)).location, '/login')
      assert.notEqual((await unlocked.signIn(ada)).location, '/account')
    })

  it('is stored as a digest only [RA-0802]', async (test) => {
    const { world } = await locked(test)
    const token = linkOf(world).slice('/unlock/'.length)

    const stored = await world.database.selectFrom('factor_unlock').selectAll().execute()

    assert.equal(stored.length, 1)
    assert.equal(JSON.stringify(stored).includes(token), false)
  })
})
