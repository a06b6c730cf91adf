import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PASSWORD, World } from '../support.ts'
import { newestLink } from './steps.ts'

const NEW = 'a quiet orchard in the rain'

describe('an account without a password, as one that somebody else has added', () => {
  it('is signed in to by nobody until the link of a forgotten password gave it one, which signs nobody in either [RA-1401 RA-1602 RA-2202]', async (test) => {
    const world = await World.create(test)
    const email = 'bob@example.test'
    await world.identity.users.add({ email, name: 'Bob', passwordHash: null }, world.clock)
    const browser = world.browser()
    for (const password of ['', 'null', PASSWORD, email])
      assert.equal((await browser.password({ email }, password)).status, 422, JSON.stringify(password))
    await browser.send('/forgot', { email })

    await browser.send(newestLink(world), { password: NEW })

    assert.equal(await browser.isSignedIn(), false)
    assert.equal((await browser.password({ email }, NEW)).location, '/account')
  })
})
