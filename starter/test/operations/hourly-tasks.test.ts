import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LEFT_SECONDS } from '../../operations/leftovers.ts'
import { hourlyTasks } from '../../operations/hourly-tasks.ts'
import { PARTS } from '../../parts.ts'
import { World } from '../support.ts'

describe('what every process does each hour', () => {
  it('erases and deletes, and does it again without harm [RA-2501 RA-2101]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'unverified' })
    const row = { account_id: ada.id, digest: 'x', due_at: world.clock.timestamp() + LEFT_SECONDS }
    await world.database.insertInto('account_deletion').values(row).execute()
    const ofParts = PARTS.flatMap(({ hourly = [] }) => hourly.map(({ name }) => name))
    const tasks = hourlyTasks(world.app)
    assert.deepEqual(
      tasks.map(({ name }) => name),
      ['erasure', 'leftovers', ...ofParts],
    )
    const runAll = async (): Promise<void> => {
      for (const { run } of tasks) await run()
    }

    await runAll()
    assert.notEqual(await world.identity.users.findByEmail(ada.email), null)
    world.clock.advance(LEFT_SECONDS)
    for (let times = 0; times < 2; times += 1) await runAll()

    assert.equal(await world.identity.users.findByEmail(ada.email), null)
    assert.deepEqual(world.faults, [])
  })
})
