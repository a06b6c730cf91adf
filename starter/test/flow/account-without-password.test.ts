import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PASSWORD, type Person, World } from '../support.ts'
import { newestLink } from './steps.ts'

const NEW = 'a quiet orchard in the rain'

/** An account whose owner has not chosen a password, as one that somebody else has added. */
async function added(world: World): Promise<Person> {
  const email = 'bob@example.test'
  const id = await world.identity.users.add({ email, name: 'Bob', passwordHash: null }, world.clock)
  return { id, email, secret: undefined }
}

describe('an account without a password', () => {
  it('has no session and no factor, and nobody signs in to it [RA-1401 RA-2202]', async (test) => {
    const world = await World.create(test)
    const bob = await added(world)
    const { database } = world
    const { password_hash: hash } = await database
      .selectFrom('account')
      .select('password_hash')
      .where('id', '=', bob.id)
      .executeTakeFirstOrThrow()
    assert.equal(hash, null)

    for (const password of ['', 'null', PASSWORD, bob.email]) {
      const browser = world.browser()
      assert.equal((await browser.password(bob, password)).status, 422, JSON.stringify(password))
      assert.equal(await browser.isSignedIn(), false)
    }
    assert.deepEqual(await world.identity.secondFactors.usable(bob.id), [])
    assert.deepEqual(await world.identity.stored.list(bob.id), [])
  })

  it('gets one behind the link of a forgotten password, which signs nobody in [RA-1602]', async (test) => {
    const world = await World.create(test)
    const bob = await added(world)
    const browser = world.browser()
    await browser.send('/forgot', { email: bob.email })
    const link = newestLink(world)
    assert.match(link, /^\/forgot\//)
    await browser.open(link)

    await browser.submit(link, { password: NEW })

    assert.equal(await browser.isSignedIn(), false)
    assert.equal((await world.browser().password(bob, NEW)).location, '/account')
  })
})
