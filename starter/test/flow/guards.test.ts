import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Account } from '../../core/accounts/account.ts'
import { Users } from '../../core/accounts/users.ts'
import { World } from '../support.ts'
import { READ_REPORTS, reports } from './reports.ts'
import { ownerOf } from './steps.ts'

describe('the guards', () => {
  it('refuse a user with 403 whose permission was revoked, from the next request on [AUTH-27 ERR-02 PERM-09]', async (test) => {
    const world = await World.create(test, { modules: [reports] })
    const browser = await world.inside(await world.person('root', { permissions: [READ_REPORTS] }))
    assert.equal((await browser.open('/reports')).status, 200)
    await world.database.deleteFrom('account_permission').execute()

    const page = await browser.open('/reports')

    assert.equal(page.status, 403)
    assert.match(page.html, /Your account may not open this page/)
  })

  it('an account that may no longer sign in is anonymous at once, in every browser [AUTH-21 AUTH-22]', async (test) => {
    const { world, person: ada } = await ownerOf(test, { factor: 'none' })
    const browsers = [world.browser(), world.browser()]
    for (const browser of browsers) await browser.signIn(ada)

    await world.disable(ada)

    for (const browser of browsers) {
      assert.equal(await browser.isSignedIn(), false)
      assert.equal((await browser.open('/')).status, 200)
    }
  })

  it('the session holds the reference, the version of its credentials and what was proven when [PERM-10 SESS-04 RA-3001]', async (test) => {
    const { person: ada, browser } = await ownerOf(test, {
      parts: [],
      permissions: ['admin.access'],
      factor: 'none',
    })
    await browser.signIn(ada)

    const { _account: account, _csrf: secret, step_up: proofs, ...session } = await browser.session()
    const { credential_mark: mark, ...known } = session
    assert.deepEqual(known, { _auth: ada.id, credential_version: 1 })
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
    const browser = await world.inside(await world.person('bob'))
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

describe('identification and protection', () => {
  it('every request is whom the repository names for the identifier of its session, with those permissions [AUTH-20]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test, { modules: [reports], factor: 'none' })
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
})
