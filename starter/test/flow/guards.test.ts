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
    await world.disable(ada)
    assert.equal(await browser.isSignedIn(), false)
    assert.equal((await browser.open('/')).status, 200)
  })
})

describe('the session', () => {
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
