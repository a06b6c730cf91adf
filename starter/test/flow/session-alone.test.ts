import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { STEP_UP_SECONDS } from 'sallyport-app/step-up'
import { ofParts } from '../facts-of-parts.ts'
import { World } from '../support.ts'
import { everywhere, routesOf } from './routes.ts'
import { CONFIRM } from './steps.ts'

// What a session alone may change. Whatever is added has to ask for password and factor, or say here why it does not.
const FREE: Readonly<Record<string, string>> = {
  '/account/confirm': 'the page that asks',
  ...ofParts('free'),
}

describe('a session whose proofs are too old', () => {
  it('sees no secret, and changes nothing but what takes access away or gives none [RA-1401 RA-1901 RA-1201 RA-1101 FACTOR-31]', async (test) => {
    const world = await World.create(test, ofParts('settings'))
    const { inside, values } = await everywhere(world)
    const routes = await routesOf(world, values)
    world.clock.advance(STEP_UP_SECONDS)

    const free: string[] = []
    for (const { method, path } of routes) {
      if (!/^\/(account|admin)\//.test(path)) continue
      if (method === 'GET') assert.doesNotMatch((await inside.open(path)).html, /class="secret"/, path)
      if (method !== 'POST') continue
      await inside.open('/account')
      const { location } = await inside.submit(path)
      assert.equal(await inside.isSignedIn(), true, path)
      if (location?.startsWith(CONFIRM) !== true) free.push(path)
    }

    assert.deepEqual(free.toSorted(), Object.keys(FREE).toSorted())
  })
})
