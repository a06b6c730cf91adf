import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ADD } from '../../../test/flow/security-steps.ts'
import { CONFIRM } from '../../../test/flow/step-up-steps.ts'
import { PASSWORD, World } from '../../../test/support.ts'
import { passkeySignIn, withPasskey } from './steps.ts'

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
})
