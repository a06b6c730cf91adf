import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../support.ts'
import { newestLink } from './newcomer.ts'

describe('an account with a second factor', () => {
  it('is not entered by signing up again: the mail leads to the sign-in, which asks for the factor [RA-2706]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.open('/sign-up')
    await browser.submit('/sign-up', { email: ada.email.toUpperCase() })

    assert.equal(newestLink(world), '/login')
    assert.equal((await browser.password(ada)).location, '/login/2fa')
    assert.equal((await browser.open('/enroll')).location, '/login')
    assert.equal(await browser.isSignedIn(), false)
  })

  it('whose factor is removed between password and code is not signed in by what is left [RA-2708 FACTOR-34]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.password(ada)
    await browser.open('/login/2fa')
    await world.database.deleteFrom('factor').where('account_id', '=', ada.id).execute()

    for (const path of ['/login/2fa', '/login/2fa/recovery'])
      assert.notEqual(
        (await browser.submit(path, { code: await world.code(ada) })).location,
        '/account',
        path,
      )
    assert.equal(await browser.isSignedIn(), false)
    assert.equal('_auth' in (await browser.session()), false)
  })
})
