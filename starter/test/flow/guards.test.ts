import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Account } from '../../core/accounts/account.ts'
import { Users } from '../../core/accounts/users.ts'
import { CHOICE } from '../languages.ts'
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
    const world = await World.create(test, { parts: [] })
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
  it('ends after half an hour without a request, and after twelve hours, however busy it is [SESS-17]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.signIn(await world.person('bob'))
    for (let times = 0; times < 36; times += 1) {
      assert.equal(await browser.isSignedIn(), true, `${times} times 20 minutes`)
      world.clock.advance(1200)
    }
    assert.equal(await browser.isSignedIn(), false)

    await browser.signIn(await world.person('eve'))
    world.clock.advance(1799)
    assert.equal(await browser.isSignedIn(), true)
    world.clock.advance(1801)
    assert.equal(await browser.isSignedIn(), false)
  })
})

/** Paths of the application that answer GET and have no placeholder, with the names of their middlewares. */
async function pages(world: World): Promise<ReadonlyMap<string, readonly string[]>> {
  await world.app.boot()
  const routes = (await world.app.inspection()).routes().filter(({ methods }) => methods.includes('GET'))
  const paths = routes.flatMap((route) => route.paths.map(({ path }) => path))
  return new Map(
    paths.filter((path) => !path.includes('{')).map((path) => [path, middlewaresOf(world, path)]),
  )
}

function middlewaresOf(world: World, path: string): readonly string[] {
  const match = world.app.router().match('GET', path)
  return match.kind === 'found' ? match.route.middlewares.map(({ name }) => name) : []
}

describe('identification and protection', () => {
  it('every request is whom the repository names for the identifier of its session, with those permissions [AUTH-20]', async (test) => {
    const world = await World.create(test, { modules: [reports] })
    const ada = await world.person('ada')
    const browser = world.browser()
    await browser.signIn(ada)
    const asked: string[] = []
    test.mock.method(world.app.get(Users), 'authenticationIdentity', async (id: string) => {
      asked.push(id)
      const principal = new Account({ id, name: 'Named by the repository', email: ada.email })
      return { principal, permissions: [READ_REPORTS], credentialVersion: 1 }
    })

    for (const path of ['/', '/forgot', '/account']) {
      const { html } = await browser.open(path)
      assert.match(html, /Named by the repository/, path)
    }

    assert.equal((await browser.open('/reports')).status, 200)
    assert.ok(asked.length >= 4)
    assert.deepEqual(new Set(asked), new Set([ada.id]))
  })

  it('pages with the identity middleware and without a guard serve everybody [AUTH-24 AUTH-22]', async (test) => {
    const world = await World.create(test)
    const found = await pages(world)

    for (const path of ['/', ...CHOICE, '/login', '/sign-up', '/forgot']) {
      const middlewares = found.get(path) ?? []
      assert.ok(middlewares.includes('ResolveIdentity'), path)
      assert.equal(
        middlewares.some((name) => name.startsWith('Require')),
        false,
        path,
      )
      assert.equal((await world.browser().open(path)).status, 200, path)
    }
  })

  it('the login page is outside of the guarded scope, and all pages of the account are inside [TOPO-05 AUTH-25]', async (test) => {
    const world = await World.create(test)
    const found = [...(await pages(world)).keys()].filter((path) => path.startsWith('/account'))
    assert.ok(found.length >= 5)

    for (const path of found) {
      const { status, location } = await world.browser().open(path)
      assert.match(`${status} ${location ?? ''}`, /^302 \/login(\?|$)/, path)
    }
    assert.equal((await world.browser().open('/login')).status, 200)
  })
})
