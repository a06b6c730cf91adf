import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Attempts } from 'sallyport-app/limits'
import { personOf, type Request } from '../crash/deed.ts'
import { DOORS_OF_PARTS, LOGINS } from '../crash/deeds.ts'
import { FACTOR_LIMIT } from '../../core/limits/limits.ts'
import { ofParts } from '../facts-of-parts.ts'
import { CORE_LINKS, madeIn } from '../mail-link.ts'
import { World } from '../support.ts'
import { atDoor, DOOR, RECOVERY } from './steps.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR
// How far the clock is set back: a correction, a wrong zone, a wrong date.
const STEPS = [10 * 60, HOUR, DAY]
const [TOTP, RECOVERY_CODE] = LOGINS

async function stage(test: TestContext): Promise<World> {
  const world = await World.create(test, ofParts('settings'))
  world.clock.advance(2 * DAY)
  return world
}

/** Brings about what closes, or opens for a while. What it returns tries to open it. */
type Close = (world: World) => Promise<() => Promise<boolean>>

const waiting = ({ name, prepare, act }: Request): readonly [string, Close] => [
  `a sign-in that waits for ${name}`,
  async (world) => {
    const { browser, facts } = await prepare(world)
    return async () => (await act(browser, facts, world))?.location === '/account'
  },
]

const used = ({ name, prepare, act }: Request, page: string): readonly [string, Close] => [
  `${name} that was used`,
  async (world) => {
    const { browser, facts } = await prepare(world)
    await act(browser, facts, world)
    assert.equal(await browser.isSignedIn(), true)
    return async () => {
      const again = await atDoor(world, personOf(facts), page)
      await act(again, facts, world)
      return again.isSignedIn()
    }
  },
]

const CLOSED: readonly (readonly [string, Close])[] = [
  [
    'a lock of codes',
    async (world) => {
      const [attempts, limited] = [world.app.get(Attempts), FACTOR_LIMIT.of('x')]
      for (let times = 0; times < FACTOR_LIMIT.failures; times += 1) await attempts.count([limited])
      return async () => (await attempts.lockedSeconds(limited)) === 0
    },
  ],
  [
    'the proofs of a step-up',
    async (world) => {
      const browser = await world.inside(await world.person('eve', { factor: 'enabled' }))
      return async () => (await browser.open('/account/security/add')).status === 200
    },
  ],
  ...[TOTP, RECOVERY_CODE, ...DOORS_OF_PARTS].map(waiting),
  used(TOTP, DOOR),
  used(RECOVERY_CODE, RECOVERY),
]

// What opens something must not live longer than it may; its end is all that says when it was made.
const LINKS = Object.entries({ ...CORE_LINKS, ...ofParts('mailLinks') }).filter(([, { opens }]) => opens)

describe('a clock that is set back', () => {
  for (const [name, close] of CLOSED)
    it(`opens nothing: ${name} [RA-2708]`, async (test) => {
      for (const back of STEPS) {
        const world = await stage(test)
        const isOpened = await close(world)

        world.clock.advance(-back)

        assert.equal(await isOpened(), false, `${back} seconds`)
        assert.deepEqual(world.faults, [])
      }
    })

  for (const [name, link] of LINKS)
    it(`ends what would live longer than it may, and opens nothing again that was found expired: ${name} [RA-2708]`, async (test) => {
      for (const back of STEPS) {
        const world = await stage(test)
        const { path, another, isOpen } = await madeIn(world, link)
        // By a few seconds, as among machines, ends nothing.
        world.clock.advance(-30)
        assert.equal(await isOpen(), true)

        world.clock.advance(-back)

        const late = another()
        await late.open('/login')
        assert.equal((await late.submit(path, link.fields)).status, 410, `${back} seconds`)
        assert.equal(await isOpen(), false, `${back} seconds`)
      }

      const world = await stage(test)
      const { isOpen } = await madeIn(world, link)
      const seconds = link.seconds ?? 0
      world.clock.advance(seconds)
      assert.equal(await isOpen(), false)
      world.clock.advance(-seconds)
      assert.equal(await isOpen(), false)
    })
})
