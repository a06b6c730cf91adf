import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { PASSWORD, type Person, World } from '../support.ts'

const CHANGES: Readonly<Record<string, (world: World, person: Person) => Promise<unknown>>> = {
  'a change of password': async ({ identity: { users }, hasher }, { id, email }) => {
    const expected = (await users.findByEmail(email))?.passwordHash ?? ''
    const replacement = await hasher.hash('quite another password')
    assert.equal(await users.replacePasswordHash(id, { expected, replacement }), true)
    await users.endSessions(id)
  },
  'disabling, also once the account is enabled again': async (world, { id }) => {
    await world.identity.users.disable(id)
    await world.identity.users.enable(id)
  },
  'the end of all sessions': (world, { id }) => world.identity.users.endSessions(id),
}

describe('the credential version', () => {
  for (const [name, change] of Object.entries(CHANGES)) {
    it(`${name} signs out every session of the account at once, and no other [RA-3001]`, async (test) => {
      const world = await World.create(test)
      const [ada, bob] = [await world.person('ada'), await world.person('bob')]
      const [first, second, other] = [world.browser(), world.browser(), world.browser()]
      await first.signIn(ada)
      await second.signIn(ada)
      await other.signIn(bob)

      await change(world, ada)

      for (const browser of [first, second]) {
        assert.equal((await browser.open('/account')).location, '/login')
        assert.equal('_auth' in (await browser.session()), false)
        assert.match((await browser.open('/login')).html, /your password or second step changed/)
      }
      assert.equal(await other.isSignedIn(), true)
    })

    it(`${name} ends a pending login, whose code stays unused [RA-3002]`, async (test) => {
      const world = await World.create(test)
      const ada = await world.person('ada', { factor: 'enabled' })
      const browser = world.browser()
      await browser.password(ada)
      await browser.open('/login/2fa')

      await change(world, ada)
      const code = await world.code(ada)
      const page = await browser.submit('/login/2fa', { code })

      assert.deepEqual([page.status, page.location], [303, '/login'])
      assert.equal('_2fa' in (await browser.session()), false)
      const renewed = name.includes('password') ? 'quite another password' : PASSWORD
      await browser.password(ada, renewed)
      assert.equal((await browser.code(code)).location, '/account')
    })

    it(`${name} refuses a password that was being checked meanwhile [RA-3001]`, async (test) => {
      const world = await World.create(test)
      const ada = await world.person('ada')
      const verify = world.hasher.verify.bind(world.hasher)
      test.mock.method(world.hasher, 'verify', async (password: string, hash: string | null) => {
        const isRight = await verify(password, hash)
        await change(world, ada)
        return isRight
      })
      const browser = world.browser()

      const page = await browser.password(ada)

      assert.equal(page.status, 422)
      assert.equal(await browser.isSignedIn(), false)
    })
  }

  it('a login that was recorded before the change and enters after it is over with the next request [RA-3001]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const record = world.identity.audit.record.bind(world.identity.audit)
    test.mock.method(world.identity.audit, 'record', async (...args: Parameters<typeof record>) => {
      await record(...args)
      const [{ kind }, transaction] = args
      if (kind === 'logged-in' && transaction !== undefined)
        await sql`UPDATE account SET credential_version = 2`.execute(transaction)
    })
    const browser = world.browser()

    assert.equal((await browser.password(ada)).location, '/account')

    assert.equal(await browser.isSignedIn(), false)
  })

  it('a session without a version is over [RA-3001]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const browser = world.browser()
    await browser.signIn(ada)
    await browser.write('credential_version', null)

    assert.equal(await browser.isSignedIn(), false)
  })

  it('a new hash of the same password ends nothing [RA-3001]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const [first, second] = [world.browser(), world.browser()]
    await first.signIn(ada)
    test.mock.method(world.hasher, 'needsRehash', () => true)
    await second.signIn(ada)

    assert.deepEqual([await first.isSignedIn(), await second.isSignedIn()], [true, true])
  })
})
