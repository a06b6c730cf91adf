import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SoftwareAuthenticator } from '../software-authenticator.ts'
import { PASSWORD, type Person, World } from '../support.ts'
import { newestLink } from './newcomer.ts'
import { passkeySignIn, withPasskey } from './passkey-steps.ts'
import { ADD } from './security-steps.ts'
import { CONFIRM } from './step-up-steps.ts'

const NEW = 'a quiet orchard in the rain'
const ACT = { by: { kind: 'operator', name: 'olga' }, reason: 'joins the team' } as const

/** An account that an administrator has added, and whose owner has not chosen a password. */
async function added(world: World): Promise<Person> {
  const email = 'bob@example.test'
  await world.identity.administration.accounts.add(ACT, { email, name: 'Bob', permissions: [] })
  const account = await world.identity.users.findByEmail(email)
  assert.ok(account !== null)
  return { id: account.id, email, secret: undefined }
}

describe('an account without a password', () => {
  it('has no session, no factor and no passkey, and nobody signs in to it [RA-1401 RA-2202]', async (test) => {
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
    const browser = world.browser()
    const page = await passkeySignIn(browser, new SoftwareAuthenticator())
    assert.equal(page.location, '/login')
    assert.equal(await browser.isSignedIn(), false)
    assert.deepEqual(await world.identity.secondFactors.usable(bob.id), [])
    assert.deepEqual(await world.identity.administration.stored.list(bob.id), [])
  })

  it('gets one behind the link of a forgotten password, which signs nobody in [RA-1602]', async (test) => {
    const world = await World.create(test)
    const bob = await added(world)
    const browser = world.browser()
    await browser.open('/forgot')
    await browser.submit('/forgot', { email: bob.email })
    const link = newestLink(world)
    assert.match(link, /^\/forgot\//)
    await browser.open(link)

    await browser.submit(link, { password: NEW })

    assert.equal(await browser.isSignedIn(), false)
    assert.equal((await world.browser().password(bob, NEW)).location, '/account')
  })

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
