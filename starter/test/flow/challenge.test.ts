import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Browser, type Page, PASSWORD, World } from '../support.ts'
import { READ_REPORTS, reports } from './reports.ts'
import { atDoor, DOOR, leave, newestLink, type Owner, ownerOf } from './steps.ts'
import { failuresOf } from '../failures.ts'

async function pending(test: TestContext): Promise<Owner> {
  const { world, person } = await ownerOf(test)
  return { world, person, browser: await atDoor(world, person) }
}

async function assertRestarted(browser: Browser, page: Page, message: RegExp): Promise<void> {
  assert.deepEqual([page.status, page.location], [303, '/login'])
  const session = await browser.session()
  assert.deepEqual(['_2fa' in session, '_auth' in session], [false, false])
  assert.match((await browser.open('/login')).html, message)
}

const EXPIRED = /Your sign-in has expired/
const NONE = /No sign-in is under way/
const OVER = /This sign-in is over/

describe('GET /login/2fa', () => {
  it('without a challenge redirects to the login page, for GET and HEAD, and opens no session [FLOW-40]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    const page = await browser.open('/login/2fa')
    const head = await browser.client.request('HEAD', '/login/2fa')

    assert.deepEqual([page.status, page.location], [303, '/login'])
    assert.deepEqual([head.status, head.headers.get('location')], [303, '/login'])
    assert.equal(browser.sessionId, undefined)
  })
})

describe('POST /login/2fa, given a pending login', () => {
  it('a correct code signs in, under a third id and with the permissions of now [RA-2701 FLOW-33 FLOW-34 FLOW-35 FLOW-36 FLOW-15 FLOW-47]', async (test) => {
    const owner = await ownerOf(test, { modules: [reports], permissions: [READ_REPORTS] })
    const { world, person, browser } = owner
    await browser.open('/login')
    const before = browser.sessionId
    await browser.password(person)
    const during = browser.sessionId
    await world.database.deleteFrom('account_permission').execute()

    const page = await browser.code(await world.code(person))

    assert.deepEqual([page.status, page.location], [303, '/account'])
    const session = await browser.session()
    assert.deepEqual([session['_auth'], '_2fa' in session, 'challenge' in session], [person.id, false, false])
    assert.equal(new Set([before, during, browser.sessionId]).size, 3)
    assert.deepEqual(await world.events(person), ['password-accepted', 'logged-in'])
    assert.equal((await browser.open('/account')).status, 200)
    assert.equal((await browser.open('/reports')).status, 403)
  })

  it('a wrong code is a 422, counted, and the challenge continues [RA-2701 FLOW-28 FLOW-29 FLOW-30 FLOW-31 FLOW-32]', async (test) => {
    const { world, person, browser } = await pending(test)
    const challenge = (await browser.session())['_2fa']

    const page = await browser.submit(DOOR, { code: await world.wrongCode(person) })

    assert.equal(page.status, 422)
    assert.match(page.html, /That code is wrong or was used before. 4 attempts are left/)
    assert.deepEqual((await browser.session())['_2fa'], challenge)
    assert.equal(await browser.isSignedIn(), false)
    const [factor] = await world.identity.factors.list(person.id)
    assert.deepEqual(await failuresOf(world.database), [`authenticator:${factor?.id}`, `factor:${person.id}`])
    const tries = await world.database.selectFrom('challenge').select('attempts').execute()
    assert.deepEqual(tries, [{ attempts: 1 }])
    assert.deepEqual(await world.events(person), ['password-accepted', 'code-refused'])
    assert.equal((await browser.code(await world.code(person))).location, '/account')
  })

  const ends: Readonly<Record<string, readonly [end: (at: Owner) => unknown, said: RegExp, event?: string]>> =
    {
      'its end has come [FLOW-21 FLOW-22 FLOW-24 FLOW-25 LIMIT-01]': [
        ({ world }) => world.clock.advance(300),
        EXPIRED,
        'challenge-expired',
      ],
      'another password was refused since [FLOW-16]': [
        ({ browser, person }) => browser.submit('/login', { email: person.email, password: 'wrong' }),
        NONE,
      ],
      'it is no map [FLOW-17]': [({ browser }) => browser.write('_2fa', 'u1'), EXPIRED],
      'its account may no longer sign in [FLOW-26 FLOW-27]': [
        ({ world, person }) => world.disable(person),
        /not available|disabled/,
        'account-unavailable',
      ],
    }
  for (const [title, [end, message, event]] of Object.entries(ends))
    it(`the sign-in restarts at the password, and uses no code: ${title} [RA-2701]`, async (test) => {
      const at = await pending(test)
      const { world, person, browser } = at
      const code = await world.code(person)
      await end(at)

      await assertRestarted(browser, await browser.submit(DOOR, { code }), message)

      if (event !== undefined) assert.equal((await world.events(person)).at(-1), event)
      const rows = await world.database.selectFrom('factor').select('last_step').execute()
      assert.deepEqual(rows, [{ last_step: null }])
    })

  it('a consumed challenge cannot be used again [FLOW-37]', async (test) => {
    const { world, person, browser } = await pending(test)
    const second = browser.twin()
    await browser.submit(DOOR, { code: await world.code(person) })
    world.clock.advance(30)

    const page = await second.submit(DOOR, { code: await world.code(person) })

    assert.deepEqual([page.status, page.location], [303, '/login'])
    assert.deepEqual([await second.isSignedIn(), await browser.isSignedIn()], [false, true])
    assert.equal((await browser.open(DOOR)).location, '/account')
  })

  it('submitted fields choose neither account nor secret nor expiry [FLOW-54 FLOW-55 RA-0401]', async (test) => {
    const { world, person, browser } = await pending(test)
    const eve = await world.person('eve', { factor: 'enabled' })
    const { id, email, secret } = eve
    const own = { identifier: id, user: id, email, expires_at: '9999999999', secret: secret?.reveal() ?? '' }

    const wrong = await browser.submit(DOOR, { ...own, code: await world.code(eve) })
    const right = await browser.submit(DOOR, { ...own, code: await world.code(person) })

    assert.deepEqual([wrong.status, right.location], [422, '/account'])
    assert.equal((await browser.session())['_auth'], person.id)
  })

  it('a code that ended its challenge without a login, because the session could not be stored, restarts [A-121]', async (test) => {
    const { world, person, browser } = await pending(test)
    test.mock.method(world.store, 'rotate', () => Promise.reject(new Error('no disk')), { times: 1 })
    const failed = await browser.submit(DOOR, { code: await world.code(person) })
    world.clock.advance(30)

    const page = await browser.submit(DOOR, { code: await world.code(person) })

    assert.equal(failed.status, 503)
    await assertRestarted(browser, page, OVER)
    await browser.password(person)
    assert.equal((await browser.code(await world.code(person))).location, '/account')
  })

  it('a user who is already signed in is told so and stays signed in [FLOW-05]', async (test) => {
    const { world, person, browser } = await ownerOf(test)
    const bob = await world.person('bob')
    await browser.signIn(bob)
    await browser.write('_2fa', { identifier: person.id, expires_at: world.clock.timestamp() + 300 })
    await browser.open('/account')

    const page = await browser.submit(DOOR, { code: await world.code(person) })

    assert.deepEqual([page.status, page.location], [303, '/account'])
    const session = await browser.session()
    assert.deepEqual([session['_auth'], '_2fa' in session], [bob.id, false])
    assert.match((await browser.open('/account')).html, /already signed in/)
  })
})

describe('the second door', () => {
  it('is skipped by nothing that a browser kept, unless trusted browsers are switched on [RA-1801]', async (test) => {
    const { world, person, browser } = await ownerOf(test)
    const wishes = { trust: '1', remember: '1', remember_me: '1', trusted_device: '1' }
    await browser.send('/login', { email: person.email, password: PASSWORD, ...wishes })
    const inside = await browser.send(DOOR, { code: await world.code(person), ...wishes })
    assert.equal(inside.location, '/account')
    await leave(browser)

    // The same browser, with every cookie that it was given, right after it passed both doors.
    assert.equal((await browser.password(person)).location, DOOR)
    assert.equal(await browser.isSignedIn(), false)
    const given = inside.headers.getSetCookie().map((cookie) => cookie.slice(0, cookie.indexOf('=')))
    assert.deepEqual(given, ['__Host-sid'])
  })

  it('is not passed by signing up again: the mail leads to the sign-in [RA-2706]', async (test) => {
    const { world, person, browser } = await pending(test)
    await browser.send('/sign-up', { email: person.email.toUpperCase() })

    assert.equal(newestLink(world), '/login')
    assert.equal((await browser.open('/enroll')).location, '/login')
    assert.equal(await browser.isSignedIn(), false)
  })
})
