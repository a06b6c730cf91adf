import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LEFT_SECONDS } from '../../core/operations/leftovers.ts'
import { hourlyTasks } from '../../core/operations/every-hour.ts'
import { PARTS } from '../../parts.ts'
import { World } from '../support.ts'

describe('what every process does each hour', () => {
  it('deletes what is left, and does it again without harm [RA-1104 RA-2708]', async (test) => {
    const world = await World.create(test)
    await world.person('ada', { factor: 'unverified' })
    const count = async (): Promise<number> =>
      (await world.database.selectFrom('factor').selectAll().execute()).length
    const ofParts = PARTS.flatMap(({ hourly = [] }) => hourly.map(({ name }) => name))
    const tasks = hourlyTasks(world.app)
    assert.deepEqual(
      tasks.map(({ name }) => name),
      ['leftovers', ...ofParts],
    )
    const runAll = async (): Promise<void> => {
      for (const { run } of tasks) await run()
    }

    await runAll()
    assert.equal(await count(), 1)
    world.clock.advance(LEFT_SECONDS)
    for (let times = 0; times < 2; times += 1) await runAll()

    assert.equal(await count(), 0)
    assert.deepEqual(world.faults, [])
  })
})
