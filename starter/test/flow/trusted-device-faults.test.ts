import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { PARALLEL_SECONDS } from '../../identity/devices/trusted-devices.ts'
import { PASSWORD, type World } from '../support.ts'
import { COOKIE, DOOR, enter, leave, mailsOf, rows, SECURITY, trusting } from './device-steps.ts'

const TRUSTED = /^A browser was trusted/
const REPLAYED = /^Someone may have copied a trusted browser/
const OPERATIONS = ['INSERT', 'UPDATE'] as const

/** From now on the session store reads, and writes nothing; `mend()` ends that. */
function breakStore(test: TestContext, world: World): { readonly mend: () => void } {
  const sessions = new DatabaseSync(join(dirname(world.accountsPath), 'sessions.sqlite'))
  test.after(() => sessions.close())
  for (const operation of OPERATIONS)
    sessions.exec(
      `CREATE TRIGGER full_${operation} BEFORE ${operation} ON sallyport_session BEGIN SELECT RAISE(ABORT, 'full'); END`,
    )
  const mend = (): void => {
    for (const operation of OPERATIONS) sessions.exec(`DROP TRIGGER full_${operation}`)
  }
  return { mend }
}

describe('a sign-in in a trusted browser that the session store cannot write', () => {
  for (const seconds of [0, PARALLEL_SECONDS, 86_400])
    it(`uses no token up: after ${seconds} seconds the same browser signs in, and nobody is alarmed [RA-1801 A-124]`, async (test) => {
      const { world, ada, browser } = await trusting(test)
      const token = browser.client.cookie(COOKIE)
      const before = await rows(world)
      await browser.open('/login')
      const { mend } = breakStore(test, world)

      const page = await browser.submit('/login', { email: ada.email, password: PASSWORD })

      assert.equal(page.status, 503)
      assert.deepEqual(page.headers.getSetCookie(), [])
      assert.equal(browser.client.cookie(COOKIE), token)
      mend()
      assert.deepEqual(await rows(world), before)
      world.clock.advance(seconds)
      assert.equal(await enter(browser, ada), '/account')
      assert.equal(mailsOf(world, REPLAYED), 0)
      assert.notEqual(browser.client.cookie(COOKIE), token)
      // It worked once: a copy of it is a theft all the same.
      await leave(browser)
      world.clock.advance(PARALLEL_SECONDS)
      const thief = world.browser()
      thief.client.setCookie(`${COOKIE}=${token}; Path=/; Secure`)
      assert.equal(await enter(thief, ada), DOOR)
      assert.equal(mailsOf(world, REPLAYED), 1)
    })

  it('brings back no trust that ended meanwhile [RA-1801 A-124]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    await browser.open('/login')
    const { mend } = breakStore(test, world)
    const { devices } = world.identity
    const takeBack = devices.takeBack.bind(devices)
    test.mock.method(devices, 'takeBack', async (...all: Parameters<typeof takeBack>) => {
      await world.identity.users.endSessions(ada.id)
      return takeBack(...all)
    })

    const page = await browser.submit('/login', { email: ada.email, password: PASSWORD })

    assert.equal(page.status, 503)
    mend()
    assert.deepEqual(await rows(world), [])
    assert.equal(await enter(browser, ada), DOOR)
  })

  it('leaves no trusted browser behind that has no cookie, and tells of none [RA-1801 A-124]', async (test) => {
    const { world, ada } = await trusting(test)
    const before = await rows(world)
    const browser = world.browser()
    world.clock.advance(30)
    await browser.password(ada)
    await browser.open(DOOR)
    const { mend } = breakStore(test, world)

    const page = await browser.submit(DOOR, { code: await world.code(ada), trust: '1' })

    assert.equal(page.status, 503)
    assert.equal(browser.client.cookie(COOKIE), undefined)
    mend()
    assert.deepEqual(await rows(world), before)
    assert.equal(mailsOf(world, TRUSTED), 1)
    assert.equal((await world.events(ada)).at(-1), 'device-forgotten')
    world.clock.advance(30)
    await browser.signIn(ada)
    const { html } = await browser.open(SECURITY)
    assert.equal(html.match(/\/devices\/[\w-]{36}\/revoke/g)?.length, 1)
  })
})

describe('a trusted browser whose response got lost', () => {
  it('alarms nobody after a code by mail, either: what it cannot use any more ends at every second door [RA-1801 RA-0701]', async (test) => {
    const { world, ada, browser } = await trusting(test, { mailCodes: true })
    // The response to this copy is the one that got lost.
    assert.equal(await enter(browser.twin(), ada), '/account')
    assert.equal(await enter(browser, ada), DOOR)
    await browser.open('/mail-code')
    await browser.submit('/mail-code/send')
    await browser.open('/mail-code')
    const mail = world.mailbox.list().find(({ subject }) => subject === 'Your code for signing in')
    const code = /\n(\d{4} \d{4})\n/.exec(mail?.text ?? '')?.[1] ?? ''

    assert.equal((await browser.submit('/mail-code', { code, trust: '1' })).location, '/account')

    assert.deepEqual(await rows(world), [])
    await leave(browser)
    world.clock.advance(PARALLEL_SECONDS)
    assert.equal(await enter(browser, ada), DOOR)
    assert.equal(mailsOf(world, REPLAYED), 0)
  })
})

describe('a password that a trusted browser posts several times at once', () => {
  it('signs in once at most, alarms nobody, and the next one signs in [RA-1801 FLOW-09]', async (test) => {
    const { world, ada, browser } = await trusting(test)
    await browser.open('/login')
    const form = { email: ada.email, password: PASSWORD }

    const pages = await Promise.all([1, 2, 3].map(() => browser.submit('/login', form)))

    assert.deepEqual(pages.map(({ location }) => location).toSorted(), ['/account', DOOR, DOOR])
    assert.equal((await world.events(ada)).filter((kind) => kind === 'logged-in').length, 2)
    // A post that begins the second step signs out first, also a session that another post has just made.
    if (await browser.isSignedIn()) await leave(browser)
    world.clock.advance(PARALLEL_SECONDS)
    assert.equal(await enter(browser, ada), '/account')
    assert.equal(mailsOf(world, REPLAYED), 0)
    assert.deepEqual(world.faults, [])
  })
})
