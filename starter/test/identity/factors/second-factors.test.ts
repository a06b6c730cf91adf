import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../../support.ts'

describe('the second factors of an account', () => {
  it('are its enabled ones, the last used first; recovery codes are below while one is left, and alone are none [FACTOR-24 RA-0301]', async (test) => {
    const world = await World.create(test)
    const { database, clock } = world
    const { secondFactors, factors } = world.identity
    const { id } = await world.person('ada', { factor: 'unverified' })
    await database
      .insertInto('recovery_code')
      .values({ account_id: id, prefix: 'AAAA', hash: 'hash', used_at: null })
      .execute()
    assert.deepEqual(
      [await secondFactors.isRequired(id), await secondFactors.isRequired('nobody')],
      [false, false],
    )

    for (const [label, used_at] of [
      ['Never used', null],
      ['Phone', clock.timestamp() - 60],
      ['Tablet', clock.timestamp()],
    ] as const) {
      const added = await factors.add(id, label, clock)
      await factors.enableUnproven(added.id, clock)
      await database.updateTable('factor').set({ used_at }).where('id', '=', added.id).execute()
    }

    const labels = async () => (await secondFactors.usable(id)).map(({ kind, label }) => label || kind)
    assert.equal(await secondFactors.isRequired(id), true)
    assert.deepEqual(await labels(), ['Tablet', 'Phone', 'Never used', 'recovery'])
    await database.updateTable('recovery_code').set({ used_at: clock.timestamp() }).execute()
    assert.deepEqual(await labels(), ['Tablet', 'Phone', 'Never used'])
  })
})
