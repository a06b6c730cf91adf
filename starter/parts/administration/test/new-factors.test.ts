import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Administration } from './administration.ts'
import { missing } from '../../../test/facts-of-parts.ts'
import { newestLink, personOf } from '../../../test/flow/steps.ts'
import { type Person, START, World } from '../../../test/support.ts'
import { ADMINISTRATORS_HOLD_FACTOR } from '../factor-rule.ts'
import { WithoutFactor } from '../without-factor.ts'

const ADMIN = { permissions: ['admin.access'] }
const NOW = Date.parse(START) / 1000
const OPERATOR = { by: { kind: 'operator', name: 'olga' }, reason: 'lost the phone' } as const

async function reset(world: World, { id }: Person): Promise<void> {
  assert.equal(await world.app.get(Administration).resets.reset(OPERATOR, id), 'reset')
}

async function namesIn(world: World): Promise<readonly unknown[]> {
  const listed = await world.app.get(WithoutFactor).list({ limit: 10 })
  return listed.map(({ name, mustHold, from }) => [name, mustHold, from])
}

describe('an account whose factors were reset', () => {
  it('sets up a new one, whatever its permissions [FACTOR-34 RA-2201]', async (test) => {
    const world = await World.create(test)
    const { policy } = world.identity
    const eve = await world.person('eve', { factor: 'enabled' })
    await reset(world, eve)
    assert.equal(await policy.mayRemove(eve.id, ''), false)
    const browser = world.browser()

    assert.equal((await browser.password(eve)).location, '/enroll')
    const link = newestLink(world)
    await browser.open(link)
    await browser.submit(link)
    const again = await personOf(world, 'eve', await browser.open('/enroll'))
    await browser.submit('/enroll', { code: await world.code(again) })
    await browser.open('/enroll')
    await browser.submit('/enroll/done')

    assert.equal(await browser.isSignedIn(), true)
    assert.equal(await policy.mayRemove(eve.id, ''), true)
  })
})

describe('the report of accounts without a factor', () => {
  it('lists those first that must hold one [RA-2203]', async (test) => {
    const world = await World.create(test)
    await world.person('bob', { ...ADMIN, factor: 'enabled' })
    const [dan, eve] = [await world.person('dan', ADMIN), await world.person('eve')]
    const gus = await world.person('gus', { factor: 'enabled' })
    await world.person('fay', { factor: 'unverified' })
    await world.disable(dan)
    await reset(world, gus)

    assert.deepEqual(await namesIn(world), [
      ['gus', true, NOW],
      ['eve', false, null],
      ['fay', false, null],
    ])
    const [second] = await world.app.get(WithoutFactor).list({ limit: 1, offset: 1 })
    assert.equal(second?.id, eve.id)
  })

  it(
    'tells the deadline of the rule for administrators, who may not remove the last one [RA-2203]',
    { skip: missing('factor-rules') },
    async (test) => {
      const world = await World.create(test)
      const { policy } = world.identity
      const bob = await world.person('bob', { ...ADMIN, factor: 'enabled' })
      const [ada, eve] = [await world.person('ada', ADMIN), await world.person('eve')]
      assert.deepEqual(await namesIn(world), [
        ['ada', true, null],
        ['eve', false, null],
      ])
      await world.browser().password(ada)

      const from = NOW + ADMINISTRATORS_HOLD_FACTOR.graceSeconds
      assert.deepEqual(await namesIn(world), [
        ['ada', true, from],
        ['eve', false, null],
      ])
      const [only] = await world.identity.secondFactors.usable(bob.id)
      assert.equal(await policy.mayRemove(bob.id, only?.id ?? ''), false)
      assert.equal(await policy.mayRemove(eve.id, ''), true)
      assert.equal(await policy.mayRemove('nobody', ''), false)
    },
  )
})
