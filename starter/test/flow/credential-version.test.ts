import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { browserWith, personOf } from '../crash/deed.ts'
import { CORE_DEEDS, DEEDS } from '../crash/deeds.ts'
import { ofParts } from '../facts-of-parts.ts'
import { type Person, World } from '../support.ts'
import { atDoor, DOOR, ownerOf } from './steps.ts'

const CHANGES: Readonly<Record<string, (world: World, person: Person) => Promise<unknown>>> = {
  'disabling, also once the account is enabled again': async (world, { id }) => {
    await world.identity.users.disable(id)
    await world.identity.users.enable(id)
  },
  'the end of all sessions': (world, { id }) => world.identity.users.endSessions(id),
}

describe('a request that changes what proves an account', () => {
  it('ends its other sessions and the sign-ins that wait, and keeps its own [RA-1105 RA-1501 RA-1701 RA-3001 RA-3002]', async (test) => {
    const ending: string[] = []
    for (const deed of DEEDS) {
      const { name, prepare, act } = deed
      const world = await World.create(test, ofParts('settings'))
      const { browser, facts } = await prepare(world)
      const { other = '' } = facts
      if (other === '') continue
      ending.push(name)
      const [wasSignedIn, waiting] = [await browser.isSignedIn(), await atDoor(world, personOf(facts))]

      await act(browser, facts, world)

      assert.equal(await browserWith(world, other).isSignedIn(), false, name)
      assert.equal((await waiting.open(DOOR)).location, '/login', name)
      if (CORE_DEEDS.includes(deed)) assert.equal(await browser.isSignedIn(), wasSignedIn, name)
    }
    assert.ok(ending.length >= 7, ending.join(', '))
  })
})

describe('the credential version', () => {
  for (const [name, change] of Object.entries(CHANGES))
    it(`${name} signs out every session of the account at once and no other, ends a pending login, whose code stays unused, and refuses a password that was being checked [RA-3001 RA-3002]`, async (test) => {
      const { world, person: ada } = await ownerOf(test)
      const first = await world.inside(ada)
      world.clock.advance(30)
      const [second, other] = [await world.inside(ada), await world.inside(await world.person('bob'))]
      world.clock.advance(30)
      const waiting = await atDoor(world, ada)
      const verify = world.hasher.verify.bind(world.hasher)
      test.mock.method(
        world.hasher,
        'verify',
        async (...given: Parameters<typeof verify>) => {
          const isRight = await verify(...given)
          await change(world, ada)
          return isRight
        },
        { times: 1 },
      )

      assert.equal((await world.browser().password(ada)).status, 422)

      for (const browser of [first, second]) {
        assert.equal((await browser.open('/account')).location, '/login')
        assert.equal('_auth' in (await browser.session()), false)
        assert.match((await browser.open('/login')).html, /your password or second step changed/)
      }
      assert.equal(await other.isSignedIn(), true)
      const code = await world.code(ada)
      const late = await waiting.submit(DOOR, { code })
      assert.deepEqual([late.status, late.location], [303, '/login'])
      assert.equal('_2fa' in (await waiting.session()), false)
      await waiting.password(ada)
      assert.equal((await waiting.code(code)).location, '/account')
    })

  it('a login that was recorded before the change and enters after it is over with the next request [RA-3001]', async (test) => {
    const { world, person: ada } = await ownerOf(test, { factor: 'none' })
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
})
