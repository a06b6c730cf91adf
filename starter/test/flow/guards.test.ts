import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../support.ts'
import { READ_REPORTS, reports } from './reports.ts'

describe('the guards', () => {
  it('send an anonymous request to the login page, which they do not cover [AUTH-25 TOPO-02]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    const pages = [
      await browser.open('/account'),
      await browser.open('/account/security'),
      await browser.open('/login'),
    ]

    assert.deepEqual(
      pages.map((page) => [page.status, page.location]),
      [
        [302, '/login'],
        [302, '/login?return_url=%2Faccount%2Fsecurity'],
        [200, null],
      ],
    )
  })

  it('refuse a user without the permission with 403 [AUTH-27 ERR-02]', async (test) => {
    const world = await World.create(test, { modules: [reports] })
    const browser = world.browser()
    await browser.signIn(await world.person('bob'))

    const page = await browser.open('/reports')

    assert.equal(page.status, 403)
    assert.match(page.html, /Your account may not open this page/)
  })

  it('a revoked permission is gone with the next request [PERM-09]', async (test) => {
    const world = await World.create(test, { modules: [reports] })
    const browser = world.browser()
    await browser.signIn(await world.person('root', { permissions: [READ_REPORTS] }))
    assert.equal((await browser.open('/reports')).status, 200)

    await world.database.deleteFrom('account_permission').execute()

    assert.equal((await browser.open('/reports')).status, 403)
  })

  it('an account that may no longer sign in is anonymous at once, in every browser [AUTH-21 AUTH-22]', async (test) => {
    const world = await World.create(test)
    const bob = await world.person('bob')
    const browsers = [world.browser(), world.browser()]
    for (const browser of browsers) await browser.signIn(bob)

    await world.disable(bob)

    for (const browser of browsers) {
      assert.equal(await browser.isSignedIn(), false)
      assert.equal((await browser.open('/')).status, 200)
    }
  })

  it('the session holds the reference, the version of its credentials and what was proven when [PERM-10 SESS-04 RA-3001]', async (test) => {
    const world = await World.create(test)
    const root = await world.person('root', { permissions: ['admin.access'] })
    const browser = world.browser()
    await browser.signIn(root)

    const { _account: account, _csrf: secret, step_up: proofs, ...session } = await browser.session()
    const { credential_mark: mark, ...known } = session
    assert.deepEqual(known, { _auth: root.id, credential_version: 1 })
    assert.match(String(mark), /^[\da-f-]{36}$/)
    // The secret of the tokens of forms.
    assert.equal(typeof secret, 'string')
    assert.deepEqual(Object.keys(proofs ?? {}), [
      'identifier',
      'credential_version',
      'password_at',
      'factor_at',
      'kind',
    ])
    assert.equal(JSON.stringify(account).includes('admin'), false)
  })

  it('concurrent requests of several users never mix [AUTH-28]', async (test) => {
    const world = await World.create(test)
    const people = await Promise.all(['ada', 'bob', 'eve', 'root'].map((name) => world.person(name)))
    const browsers = await Promise.all(
      people.map(async (person) => {
        const browser = world.browser()
        await browser.signIn(person)
        return { person, browser }
      }),
    )

    const rounds = Array.from({ length: 10 }, () => browsers).flat()
    const pages = await Promise.all(
      rounds.map(async ({ person, browser }) => ({ person, page: await browser.twin().open('/account') })),
    )

    for (const { person, page } of pages)
      assert.deepEqual(
        people.filter(({ email }) => page.html.includes(email)),
        [person],
      )
  })

  it('run identity, then CSRF, then the guard [TOPO-01 TOPO-03]', async (test) => {
    const world = await World.create(test, { modules: [reports] })
    await world.app.boot()

    const names = (path: string): readonly string[] => {
      const match = world.app.router().match('GET', path)
      assert.ok(match.kind === 'found')
      return match.route.middlewares.map((middleware) => middleware.name)
    }

    assert.deepEqual(names('/login'), ['ResolveIdentity', 'CsrfMiddleware'])
    assert.deepEqual(names('/login/2fa'), ['ResolveIdentity', 'CsrfMiddleware'])
    assert.deepEqual(names('/account'), ['ResolveIdentity', 'CsrfMiddleware', 'RequireLogin'])
    assert.deepEqual(names('/reports').slice(0, 3), ['ResolveIdentity', 'CsrfMiddleware', 'RequireLogin'])
  })
})

describe('the session', () => {
  it('ends after half an hour without a request [SESS-17]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.signIn(await world.person('bob'))

    world.clock.advance(1799)
    const used = await browser.isSignedIn()
    world.clock.advance(1801)

    assert.deepEqual([used, await browser.isSignedIn()], [true, false])
  })

  it('ends after twelve hours, however busy it is [SESS-17]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.signIn(await world.person('bob'))

    let hours = 0
    while (hours < 24 && (await browser.isSignedIn())) {
      world.clock.advance(1200)
      hours += 1 / 3
    }

    assert.equal(Math.round(hours * 3) / 3, 12)
  })
})

describe('return_url', () => {
  it('leads back to the page that asked for the login, through both doors [FLOW-51 FLOW-53]', async (test) => {
    const world = await World.create(test)
    const root = await world.person('root', { factor: 'enabled' })
    const browser = world.browser()
    const login = await browser.open('/account/security', { follow: true })
    assert.match(login.html, /name="return_url" value="\/account\/security"/)

    const first = await browser.submit('/login', {
      email: root.email,
      password: 'a gate of two doors',
      return_url: '/account/security',
    })
    const second = await browser.code(await world.code(root))

    assert.deepEqual([first.location, second.location], ['/login/2fa', '/account/security'])
    assert.deepEqual(Object.keys(await browser.session()).toSorted(), [
      '_account',
      '_auth',
      '_csrf',
      'credential_mark',
      'credential_version',
      'step_up',
    ])
  })

  it('of an abandoned login is not used by the next one [FLOW-51]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.open('/login')
    await browser.submit('/login', {
      email: ada.email,
      password: 'a gate of two doors',
      return_url: '/account/security',
    })
    world.clock.advance(300)

    const page = await browser.signIn(ada)

    assert.equal(page.location, '/account')
  })
})
