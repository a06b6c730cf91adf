import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newestLink } from '../../../test/flow/newcomer.ts'
import { ADD } from '../../../test/flow/security-steps.ts'
import { CONFIRM } from '../../../test/flow/step-up-steps.ts'
import { PASSWORD, World } from '../../../test/support.ts'
import { passkeySignIn, withPasskey } from './steps.ts'

const NEW = 'a quiet orchard in the rain'

describe('an account without a password', () => {
  it('is none that a passkey belongs to: whoever signs in with one alone confirms with the password [RA-1401]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const key = await withPasskey(world, ada)
    const browser = world.browser()
    assert.equal((await passkeySignIn(browser, key)).location, '/account')

    const asked = await browser.open(ADD, { follow: true })

    assert.match(asked.html, /name="password"/)
    assert.doesNotMatch(asked.html, /data-passkey="get"/)
    assert.equal((await browser.submit(CONFIRM, { return_url: ADD, password: 'wrong' })).status, 422)
    assert.equal((await browser.submit(CONFIRM, { return_url: ADD, password: PASSWORD })).location, ADD)
    assert.equal((await browser.open(ADD)).status, 200)
  })

  it('made by other programs, shuts nobody out and lets nobody skip the password: the owner chooses one [RA-1401]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const key = await withPasskey(world, ada)
    await world.database.updateTable('account').set({ password_hash: null }).execute()
    const browser = world.browser()
    assert.equal((await passkeySignIn(browser, key)).location, '/account')
    await browser.open(ADD, { follow: true })
    for (const password of ['', 'null', PASSWORD])
      assert.equal((await browser.submit(CONFIRM, { return_url: ADD, password })).status, 422)
    assert.match((await browser.open(ADD)).location ?? '', /^\/account\/confirm/)

    const elsewhere = world.browser()
    await elsewhere.open('/forgot')
    await elsewhere.submit('/forgot', { email: ada.email })
    const link = newestLink(world)
    await elsewhere.open(link)
    await elsewhere.submit(link, { password: NEW })

    const again = world.browser()
    assert.equal((await passkeySignIn(again, key)).location, '/account')
    await again.open(ADD, { follow: true })
    assert.equal((await again.submit(CONFIRM, { return_url: ADD, password: NEW })).location, ADD)
  })
})
