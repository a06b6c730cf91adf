import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { PARALLEL_SECONDS } from '../../identity/devices/trusted-devices.ts'
import type { SoftwareAuthenticator } from '../software-authenticator.ts'
import { type Browser, type Person, World } from '../support.ts'
import { COOKIE, DAYS, DOOR, enter, leave, mailsOf, rows, SECURITY, trust } from './device-steps.ts'
import { enroll } from './newcomer.ts'
import { addPasskey, PASSKEY_DOOR } from './passkey-steps.ts'

const TOLD = /Someone used your password and an old key of a trusted browser/
const ELSEWHERE = /this session was ended elsewhere/
const REPLAYED = /^A trusted browser of your account was removed/

interface Race {
  readonly world: World
  readonly ada: Person
  /** The browser that was trusted, which stands at the second door within the time of a lost response. */
  readonly browser: Browser
  /** Used its token first and is signed in: a thief, unless the response got lost. */
  readonly first: Browser
  readonly codes: readonly string[]
  readonly key: SoftwareAuthenticator
}

async function race(test: TestContext): Promise<Race> {
  const world = await World.create(test, { trustedDeviceDays: DAYS, mailCodes: true })
  const browser = world.browser()
  const { person: ada, codes } = await enroll(world, world.browser(), 'ada')
  world.clock.advance(30)
  await browser.signIn(ada)
  const key = await addPasskey(browser, 'Blue key')
  await leave(browser)
  await trust(world, ada, browser)
  await leave(browser)
  const first = browser.twin()
  assert.equal(await enter(first, ada), '/account')
  world.clock.advance(PARALLEL_SECONDS - 1)
  assert.equal(await enter(browser, ada), DOOR)
  assert.doesNotMatch((await browser.open(DOOR)).html, TOLD)
  assert.equal(await first.isSignedIn(), true)
  return { world, ada, browser, first, codes, key }
}

type Proof = (race: Race, fields?: Readonly<Record<string, string>>) => Promise<void>

const byCode: Proof = async ({ world, ada, browser }, fields) => {
  world.clock.advance(30)
  await browser.open(DOOR)
  assert.equal((await browser.submit(DOOR, { code: await world.code(ada), ...fields })).location, '/account')
}

const byPasskey: Proof = async ({ browser, key }, fields) => {
  const { html } = await browser.open(PASSKEY_DOOR)
  const page = await browser.submit(PASSKEY_DOOR, { response: key.respond(html), ...fields })
  assert.equal(page.location, '/account')
}

const PROOFS: Readonly<Record<string, Proof>> = {
  'a code': byCode,
  'a passkey': byPasskey,
  'a code and the box': (raced) => byCode(raced, { trust: '1' }),
  'a passkey and the box': (raced) => byPasskey(raced, { trust: '1' }),
  'a code by mail': async ({ world, browser }) => {
    await browser.open('/mail-code')
    await browser.submit('/mail-code/send')
    await browser.open('/mail-code')
    const mail = world.mailbox.list().find(({ subject }) => subject === 'Your code for signing in')
    const code = /\n(\d{4} \d{4})\n/.exec(mail?.text ?? '')?.[1] ?? ''
    assert.equal((await browser.submit('/mail-code', { code })).location, '/account')
  },
  'a recovery code': async ({ browser, codes: [code = ''] }) => {
    await browser.open(`${DOOR}/recovery`)
    assert.equal((await browser.submit(`${DOOR}/recovery`, { code })).location, '/account')
  },
}

describe('a token of a trusted browser that two clients use within a minute', () => {
  for (const [name, prove] of Object.entries(PROOFS))
    it(`RA-1801: ends the session of the first when the second proves the second step by ${name}, and alarms nobody`, async (test) => {
      const raced = await race(test)
      const { world, ada, browser, first } = raced
      const before = await rows(world)

      await prove(raced)

      assert.deepEqual([await first.isSignedIn(), await browser.isSignedIn()], [false, true])
      assert.match((await first.open('/login')).html, ELSEWHERE)
      const left = await rows(world)
      assert.ok(!left.some(({ id }) => id === before[0]?.id))
      assert.equal(left.length, name.endsWith('box') ? 1 : 0)
      assert.doesNotMatch((await browser.open('/account/sessions')).html, /trusted browser/)
      assert.equal(mailsOf(world, REPLAYED), 0)
      const events = await world.events(ada)
      assert.ok(events.includes('device-forgotten'))
      assert.ok(!events.includes('device-replayed'))
      assert.deepEqual(world.faults, [])
    })

  it('RA-1801: leaves the session of the first alone while nobody proves the second step', async (test) => {
    const { world, browser, first } = await race(test)

    await browser.open(DOOR)
    assert.equal((await browser.submit(DOOR, { code: '000000' })).status, 422)

    assert.equal(await first.isSignedIn(), true)
    assert.equal((await rows(world)).length, 1)
  })

  it('RA-1801, RA-2501: ends that session even if the store of sessions fails', async (test) => {
    const raced = await race(test)
    const { world, browser, first } = raced
    const failing = test.mock.method(world.store, 'sessionsOf', () => Promise.reject(new Error('gone')))
    await byCode(raced)
    failing.mock.restore()

    assert.deepEqual([await first.isSignedIn(), await browser.isSignedIn()], [false, true])
  })

  it('RA-1801: leaves every session alone that began with a second step, or with another trusted browser', async (test) => {
    const raced = await race(test)
    const other = raced.world.browser()
    await trust(raced.world, raced.ada, other)
    await leave(other)
    assert.equal(await enter(other, raced.ada), '/account')
    const both = raced.world.browser()
    raced.world.clock.advance(30)
    await both.signIn(raced.ada)

    await byCode(raced)

    assert.deepEqual([await other.isSignedIn(), await both.isSignedIn()], [true, true])
    assert.equal(await raced.first.isSignedIn(), false)
  })

  it('RA-1801: is told as a theft when the first comes back with the token that only it was given, once', async (test) => {
    const raced = await race(test)
    const { world, ada, browser, first } = raced
    await byCode(raced)
    const thieves = Array.from({ length: 5 }, () => first.twin())

    const attempts = await Promise.all(thieves.map((thief) => enter(thief, ada)))

    assert.deepEqual([...new Set(attempts)], [DOOR])
    assert.equal(mailsOf(world, REPLAYED), 1)
    const events = await world.events(ada)
    assert.equal(events.filter((kind) => kind === 'device-replayed').length, 1)
    // The session of the owner began with the second step.
    assert.equal(await browser.isSignedIn(), true)
    await leave(browser)
    assert.equal(await enter(browser, ada), DOOR)
    assert.match((await browser.open(DOOR)).html, TOLD)
    assert.equal(browser.client.cookie(COOKIE), undefined)
    assert.deepEqual(world.faults, [])
  })

  it('RA-1801: is no theft when the second shows its own old token again, or one that was made up', async (test) => {
    const raced = await race(test)
    const { world, ada, browser } = raced
    const old = browser.twin()
    await byCode(raced)
    const [id = ''] = (old.client.cookie(COOKIE) ?? '').split('.')
    const guess = world.browser()
    guess.client.setCookie(`${COOKIE}=${id}.${'A'.repeat(43)}; Path=/; Secure`)
    world.clock.advance(PARALLEL_SECONDS)

    assert.equal(await enter(old, ada), DOOR)
    assert.equal(await enter(guess, ada), DOOR)

    assert.equal(mailsOf(world, REPLAYED), 0)
    assert.equal(await browser.isSignedIn(), true)
  })

  for (const isWanted of [false, true])
    it(`RA-1801: is told as a theft when the first uses the next one before the second has proven the second step, ${isWanted ? 'with' : 'without'} the box`, async (test) => {
      const raced = await race(test)
      const { world, ada, browser, first } = raced
      await leave(first)
      assert.equal(await enter(first, ada), '/account')

      await byCode(raced, isWanted ? { trust: '1' } : {})

      assert.match((await browser.open(SECURITY)).html, TOLD)
      assert.deepEqual([await first.isSignedIn(), await browser.isSignedIn()], [false, true])
      assert.equal(mailsOf(world, REPLAYED), 1)
      assert.equal(await enter(first, ada), DOOR)
      assert.equal((await rows(world)).length, isWanted ? 1 : 0)
      await leave(browser)
      assert.equal(await enter(browser, ada), isWanted ? '/account' : DOOR)
    })
})
