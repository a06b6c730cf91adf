import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../support.ts'
import { READ_REPORTS, reports } from './reports.ts'
import { ownerOf } from './steps.ts'

describe('the identity of a request', () => {
  it('is whom the repository names for the identifier of its session, with the permissions of now, and nobody once that may not sign in [AUTH-20 AUTH-21 AUTH-22 AUTH-27 ERR-02 PERM-09]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test, { modules: [reports], factor: 'none' })
    await browser.signIn(ada)
    const { database } = world
    await database.updateTable('account').set({ name: 'Grace' }).where('id', '=', ada.id).execute()
    const row = { account_id: ada.id, permission: READ_REPORTS }

    for (const path of ['/', '/forgot', '/account'])
      assert.match((await browser.open(path)).html, /Grace/, path)
    assert.equal((await browser.open('/reports')).status, 403)
    await database.insertInto('account_permission').values(row).execute()
    assert.equal((await browser.open('/reports')).status, 200)
    await database.deleteFrom('account_permission').execute()
    assert.match((await browser.open('/reports')).html, /Your account may not open this page/)
    await database.updateTable('account').set({ state: 'disabled' }).execute()
    assert.equal(await browser.isSignedIn(), false)
    assert.equal((await browser.open('/')).status, 200)
  })
})

describe('the session', () => {
  it('has a short cookie for this host only, and holds the reference, the version of the credentials and what was proven when [RA-0001 PERM-10 SESS-04 RA-3001]', async (test) => {
    const permissions = ['admin.access']
    const { world, person, browser } = await ownerOf(test, { parts: [], permissions, factor: 'none' })

    const { headers } = await browser.signIn(person)

    const [cookie = ''] = headers.getSetCookie().filter((line) => line.startsWith('__Host-sid='))
    for (const part of ['; Path=/', '; HttpOnly', '; Secure', '; SameSite=Lax'])
      assert.ok(cookie.includes(part), part)
    assert.doesNotMatch(cookie, /Domain/i)
    // 43 characters of base64url are 256 bits, of which a digest is stored.
    assert.match(browser.sessionId ?? '', /^[\w-]{43}$/)
    assert.equal(await world.store.read(browser.sessionId ?? ''), null)
    const { _account: account, step_up: proofs, ...session } = await browser.session()
    assert.deepEqual(Object.keys(session).toSorted(), [
      '_auth',
      '_csrf',
      'credential_mark',
      'credential_version',
    ])
    assert.deepEqual([session['_auth'], session['credential_version']], [person.id, 1])
    const kept = ['identifier', 'credential_version', 'password_at', 'factor_at', 'kind']
    assert.deepEqual(Object.keys(proofs ?? {}), kept)
    assert.equal(JSON.stringify(account).includes('admin'), false)
  })

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
