import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PASSWORD_ARGON2ID, PasswordHasher } from 'sallyport/auth'
import { failuresOf } from '../failures.ts'
import { PASSWORD, World } from '../support.ts'
import { atDoor, ownerOf } from './steps.ts'

const JSON_CLIENT = { headers: { accept: 'application/json' } }

describe('POST /login, given an anonymous session', () => {
  it('a correct password without a second factor signs in, under a new id [RA-2701 FLOW-06 FLOW-43 FLOW-44]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test, { factor: 'none' })
    await browser.open('/login')
    const before = browser.twin()

    const page = await browser.submit('/login', { email: ada.email, password: PASSWORD })

    assert.deepEqual([page.status, page.location], [303, '/account'])
    assert.notEqual(browser.sessionId, before.sessionId)
    assert.equal((await browser.session())['_auth'], ada.id)
    assert.deepEqual([await browser.isSignedIn(), await before.isSignedIn()], [true, false])
    assert.deepEqual(await world.events(ada), ['logged-in'])
  })

  it('with a second factor the session is pending, and anonymous everywhere [RA-2701 FLOW-03 FLOW-04 FLOW-08 FLOW-09 FLOW-10 FLOW-45 SESS-18 SESS-21 SESS-22 RA-0204]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test, { permissions: ['admin.access'] })
    await browser.open('/login')
    const before = browser.sessionId
    const { _csrf: secret } = await browser.session()

    const page = await browser.submit('/login', { email: ada.email, password: PASSWORD })

    assert.deepEqual([page.status, page.location], [303, '/login/2fa'])
    const session = await browser.session()
    assert.deepEqual(session['_2fa'], { identifier: ada.id, expires_at: world.clock.timestamp() + 300 })
    assert.equal('_auth' in session, false)
    assert.equal(typeof secret, 'string')
    assert.notEqual(session['_csrf'], secret)
    assert.notEqual(browser.sessionId, before)
    assert.deepEqual(await world.events(ada), ['password-accepted'])
    const text = JSON.stringify(session)
    for (const each of [PASSWORD, ada.secret?.reveal() ?? '', 'admin.access', 'argon2', ada.email])
      assert.equal(text.includes(each), false, each)
    for (const path of ['/account', '/account/security', '/']) {
      const [own, nobodys] = [await browser.open(path), await world.browser().open(path)]
      assert.deepEqual([own.status, own.location], [nobodys.status, nobodys.location])
    }
    assert.match((await browser.open('/')).html, /Sign in/)
  })

  it('an earlier challenge ends with the password of an account without a second factor, and with a refused one, which leaves the session anonymous [RA-2701 FLOW-07 FLOW-14 RA-0201]', async (test) => {
    const { world, person: ada } = await ownerOf(test)
    const bob = await world.person('bob')
    const code = await world.code(ada)
    for (const [person, password, identity] of [
      [bob, PASSWORD, bob.id],
      [ada, 'wrong', undefined],
    ] as const) {
      const browser = await atDoor(world, ada)
      const stale = browser.twin()

      const page = await browser.password(person, password)

      assert.equal(page.status, identity === undefined ? 422 : 303)
      const session = await browser.session()
      assert.deepEqual([session['_auth'], session['_2fa']], [identity, undefined])
      await browser.submit('/login/2fa', { code })
      assert.equal((await browser.session())['_auth'], identity)
      assert.equal(await stale.isSignedIn(), false)
    }
    assert.equal((await (await atDoor(world, ada)).code(code)).location, '/account')
  })
})

describe('POST /login, given a signed-in user', () => {
  it('is refused with "log out first", whatever the credentials, and changes no identity [FLOW-11 FLOW-13 FLOW-07 RA-0201]', async (test) => {
    const { world, person: ada } = await ownerOf(test)
    const bob = await world.person('bob')
    for (const [email, password] of [
      [ada.email, PASSWORD],
      [bob.email, PASSWORD],
      [ada.email, 'wrong'],
    ] as const) {
      const browser = await world.inside(bob)
      await browser.write('_2fa', { identifier: ada.id, expires_at: world.clock.timestamp() + 300 })
      await browser.open('/account')
      const id = browser.sessionId

      const page = await browser.submit('/login', { email, password })

      assert.deepEqual([page.status, page.location], [303, '/account'])
      const session = await browser.session()
      assert.deepEqual([session['_auth'], '_2fa' in session, browser.sessionId], [bob.id, false, id])
      assert.match((await browser.open('/account')).html, /Sign out first/)
    }
  })

  it('is refused even when the identity in the session may no longer sign in [FLOW-12]', async (test) => {
    const { world, person: ada } = await ownerOf(test)
    const dan = await world.person('dan')
    const browser = await world.inside(dan)
    await world.disable(dan)

    const page = await browser.password(ada)

    assert.deepEqual([page.status, page.location], [303, '/login'])
    const session = await browser.session()
    assert.deepEqual([session['_auth'], '_2fa' in session], [dan.id, false])
    assert.match((await browser.open('/login')).html, /Sign out to use another one/)
    await browser.submit('/logout')
    assert.equal((await browser.password(ada)).location, '/login/2fa')
  })
})

describe('refused credentials', () => {
  it('an unknown address, a wrong password, an account that may not sign in and malformed fields look the same; the first three cost one hash each [LOGIN-01 LOGIN-08 LOGIN-09 LOGIN-10 RA-0006 HOLD-23]', async (test) => {
    const world = await World.create(test)
    const [bob, dan] = [await world.person('bob'), await world.person('dan')]
    await world.disable(dan)
    const verify = test.mock.method(world.hasher, 'verify')
    const tries: readonly Readonly<Record<string, string | readonly string[]>>[] = [
      { email: bob.email, password: 'wrong' },
      { email: 'nobody@example.test', password: PASSWORD },
      { email: dan.email, password: PASSWORD },
      {},
      { email: bob.email },
      { password: PASSWORD },
      { email: '', password: '' },
      { email: bob.email, password: '' },
      { email: [bob.email, bob.email], password: PASSWORD },
      { email: bob.email, password: [PASSWORD, 'x'] },
      { email: 'no address', password: PASSWORD },
      { email: `${'a'.repeat(300)}@example.test`, password: PASSWORD },
      { email: bob.email, password: 'x'.repeat(5000) },
      { email: 'ada\u0000@example.test', password: PASSWORD },
    ]
    const answers = new Set<string>()

    for (const fields of tries) {
      const browser = world.browser()
      await browser.open('/login')
      const page = await browser.submit('/login', fields, JSON_CLIENT)
      answers.add(JSON.stringify([page.status, page.html, page.headers.get('content-type')]))
      assert.equal(await browser.isSignedIn(), false)
    }

    assert.equal(answers.size, 1)
    // The hash of an account that may not sign in is not compared with anything.
    const comparesWithNone = verify.mock.calls.map(({ arguments: [, hash] }) => hash === null)
    assert.deepEqual(comparesWithNone.slice(0, 3), [false, true, true])
    const [status, body] = JSON.parse([...answers].join('')) as [number, string]
    const code = 'invalid_credentials'
    assert.equal(status, 422)
    assert.deepEqual((JSON.parse(body) as { violations: unknown }).violations, [
      { field: null, code, messageId: code, fallback: 'Invalid credentials', domain: 'auth' },
    ])
  })
})

describe('an outdated password hash', () => {
  it('is replaced after the password was verified, and not when it is wrong [LOGIN-03 LOGIN-04 LOGIN-05 RA-0202]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test, { factor: 'none' })
    const old = await new PasswordHasher(PASSWORD_ARGON2ID, {
      memoryCost: 512,
      timeCost: 1,
      parallelism: 1,
    }).hash(PASSWORD)
    await world.database.updateTable('account').set({ password_hash: old }).execute()
    const stored = async (): Promise<string> =>
      (await world.identity.users.findByEmail(ada.email))?.passwordHash ?? ''

    await browser.password(ada, 'wrong')
    assert.equal(await stored(), old)

    assert.equal((await browser.password(ada)).location, '/account')
    assert.deepEqual(await failuresOf(world.database), [], 'the owner has all tries again')
    assert.notEqual(await stored(), old)
    assert.equal(world.hasher.needsRehash(await stored()), false)
  })

  it('refuses none of many correct sign-ins at once, and counts none [HOLD-60]', async (test) => {
    const { world, person: ada } = await ownerOf(test, { factor: 'none' })
    test.mock.method(world.hasher, 'needsRehash', () => true)

    const pages = await Promise.all(Array.from({ length: 9 }, () => world.browser().password(ada)))

    assert.deepEqual([...new Set(pages.map(({ location }) => location))], ['/account'])
    assert.deepEqual(await failuresOf(world.database), [])
  })

  it('a password changed in the meantime is refused and not overwritten [LOGIN-07 HOLD-60 RA-0202]', async (test) => {
    const { world, person: ada } = await ownerOf(test, { factor: 'none' })
    test.mock.method(world.hasher, 'needsRehash', () => true)
    const changed = await world.hasher.hash('the new password')
    test.mock.method(world.hasher, 'hash', async () => {
      await world.database.updateTable('account').set({ password_hash: changed }).execute()
      return 'a replacement that comes too late'
    })

    const page = await world.browser().password(ada)

    assert.equal(page.status, 422)
    assert.equal((await world.identity.users.findByEmail(ada.email))?.passwordHash, changed)
  })
})
