import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../../../test/support.ts'
import { spendPasskeyChallenge } from '../challenges.ts'
import { passkeySignIn, withPasskey } from './steps.ts'

const HOUR = 60 * 60

describe('a clock that is set back', () => {
  for (const back of [10 * 60, HOUR, 24 * HOUR]) {
    it(`by ${back / 60} minutes lets no challenge be answered again [RA-2708]`, async (test) => {
      const world = await World.create(test)
      world.clock.advance(48 * HOUR)
      const spend = (): Promise<boolean> =>
        spendPasskeyChallenge(world.database, 'challenge', world.clock.timestamp())
      assert.equal(await spend(), true)

      world.clock.advance(-back)

      assert.equal(await spend(), false)
    })

    it(`by ${back / 60} minutes ends the sign-in of a passkey that waits for the password [RA-2708]`, async (test) => {
      const world = await World.create(test)
      world.clock.advance(48 * HOUR)
      const ada = await world.person('ada', { factor: 'enabled' })
      const browser = world.browser()
      const asked = await passkeySignIn(browser, await withPasskey(world, ada), { verified: false })
      assert.equal(asked.location, '/login')

      world.clock.advance(-back)

      assert.equal((await browser.password(ada)).location, '/login/2fa')
      assert.deepEqual(world.faults, [])
    })
  }
})
