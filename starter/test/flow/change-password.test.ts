import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PASSWORD, World } from '../support.ts'

const WELL_KNOWN = '/.well-known/change-password'

describe('the well-known URL for changing passwords', () => {
  it('leads password managers to the page that changes the password, and its sibling is not there', async (test) => {
    const world = await World.create(test)
    const url = await world.listen(test)

    const response = await fetch(new URL(WELL_KNOWN, url), { redirect: 'manual' })

    assert.deepEqual([response.status, response.headers.get('location')], [302, '/account/password'])
    // Password managers ask for this one as well: where it exists, they do not believe the other one.
    const missing = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
    assert.equal((await fetch(new URL(missing, url))).status, 404)
  })

  it('comes back to that page after the login', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const browser = world.browser()
    const login = await browser.open(WELL_KNOWN, { follow: true })
    const [, target = ''] = /name="return_url" value="([^"]+)"/.exec(login.html) ?? []

    const page = await browser.submit('/login', {
      email: ada.email,
      password: PASSWORD,
      return_url: target,
    })

    assert.deepEqual([target, page.location], ['/account/password', '/account/password'])
  })
})
