import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { ADMINISTRATOR } from '../permission.ts'
import { RESET_REQUEST_SECONDS } from '../factor-resets.ts'
import { Administration } from './administration.ts'
import { type Browser, type Person, World } from '../../../test/support.ts'

const REASON = { reason: 'ticket 4711' }
const JSON_ONLY = { headers: { accept: 'application/json' } }
const OLGA = { by: { kind: 'operator', name: 'olga' }, reason: 'seen her passport' } as const

interface Office {
  readonly world: World
  readonly root: Person
  readonly other: Person
  readonly bob: Person
  /** Signed in as an administrator who did not ask. */
  readonly browser: Browser
  /** Identifier of the request. */
  readonly id: string
}

/** A request about bob that waits, and an administrator who may decide it. */
async function office(test: TestContext): Promise<Office> {
  const world = await World.create(test, { resetNeedsApproval: true })
  const root = await world.person('root', { permissions: ADMINISTRATOR, factor: 'enabled' })
  const other = await world.person('other', { permissions: ADMINISTRATOR, factor: 'enabled' })
  const bob = await world.person('bob', { factor: 'enabled' })
  const by = { kind: 'account', id: other.id, clientAddress: '', device: '' } as const
  const { resets } = world.app.get(Administration)
  await resets.reset({ by, reason: 'lost the phone' }, bob.id)
  const browser = world.browser()
  await browser.signIn(root)
  return { world, root, other, bob, browser, id: (await resets.waiting(1))[0]?.id ?? '' }
}

const ENDS: Readonly<Record<string, (office: Office) => Promise<unknown>>> = {
  'was approved': ({ world, id }) => world.app.get(Administration).resets.approve(OLGA, id),
  'was cancelled': ({ world, id }) => world.app.get(Administration).resets.cancel(OLGA, id),
  'has expired': async ({ world, browser, root }) => {
    world.clock.advance(RESET_REQUEST_SECONDS)
    await browser.signIn(root)
  },
  'ended with a sign-in of the owner': ({ world, bob }) => world.browser().signIn(bob),
}

describe('a request for a reset', () => {
  for (const [end, happen] of Object.entries(ENDS))
    it(`does nothing once it ${end}, and leads back to the list [RA-2201 RA-3101]`, async (test) => {
      const at = await office(test)
      const { browser, id, world } = at
      const paths = ['approve', 'cancel'].map((deed) => `/admin/resets/${id}/${deed}`)
      for (const path of paths) assert.equal((await browser.open(path)).status, 200)

      await happen(at)

      const factors = (await world.identity.factors.list(at.bob.id)).length
      const events = await world.events(at.bob)
      for (const path of paths) {
        await browser.open('/admin/resets')
        assert.equal((await browser.submit(path, REASON)).location, '/admin/resets')
        assert.match((await browser.open('/admin/resets')).html, /what you chose is not there/)
        assert.equal((await browser.open(path)).location, '/admin/resets')
        assert.equal((await browser.submit(path, REASON, JSON_ONLY)).status, 404)
      }
      assert.equal((await world.identity.factors.list(at.bob.id)).length, factors)
      assert.deepEqual(await world.events(at.bob), events)
      assert.deepEqual(world.faults, [])
    })
})
