import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Person, World } from '../../../test/support.ts'
import { FactorRecovery, RECOVERY_PAUSE_SECONDS } from '../factor-recovery.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR
const HERE = { clientAddress: '192.0.2.7', device: '' }

interface Stage {
  readonly world: World
  readonly ada: Person
  readonly recoveries: FactorRecovery
}

async function stage(test: TestContext): Promise<Stage> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor: 'enabled' })
  world.clock.advance(2 * DAY)
  return { world, ada, recoveries: world.app.get(FactorRecovery) }
}

/** Asks for a recovery. @returns Token of the link that confirms it. */
async function ask({ ada, recoveries }: Stage): Promise<string> {
  let confirm = ''
  await recoveries.ask(ada.id, HERE, async (links) => void (confirm = links.confirm))
  return confirm
}

const noMail = async (): Promise<void> => undefined

// Brings it about. What it returns tries to open it.
const CLOSED: Readonly<Record<string, (stage: Stage) => Promise<() => Promise<boolean>>>> = {
  'the pause after a recovery that was stopped': async (stage) => {
    const { ada, recoveries } = stage
    await ask(stage)
    assert.equal(await recoveries.cancelOf(ada.id, HERE), true)
    return async () => (await recoveries.stateOf(ada.id)).kind !== 'paused'
  },
  'the waiting time of a recovery': async (stage) => {
    const { ada, recoveries } = stage
    assert.notEqual(await recoveries.confirm(await ask(stage), HERE, noMail), undefined)
    return async () => (await recoveries.stateOf(ada.id)).kind !== 'waiting'
  },
  'the link that confirms a recovery': async (stage) => {
    const { recoveries } = stage
    const confirm = await ask(stage)
    assert.notEqual(await recoveries.confirmable(confirm), undefined)
    return async () =>
      (await recoveries.confirmable(confirm)) !== undefined ||
      (await recoveries.confirm(confirm, HERE, noMail)) !== undefined
  },
}

describe('a clock that is set back', () => {
  for (const back of [10 * 60, HOUR, DAY])
    for (const [name, close] of Object.entries(CLOSED))
      it(`by ${back / 60} minutes opens nothing: ${name} [RA-2708]`, async (test) => {
        const present = await stage(test)
        const isOpened = await close(present)

        present.world.clock.advance(-back)

        assert.equal(await isOpened(), false)
        assert.deepEqual(present.world.faults, [])
      })

  it('begins the pause after a stop anew, and no clock that was ahead makes it longer [RA-2708 RA-2101]', async (test) => {
    const present = await stage(test)
    const { world, ada, recoveries } = present
    world.clock.advance(365 * DAY)
    await ask(present)
    await recoveries.cancelOf(ada.id, HERE)
    world.clock.advance(-365 * DAY)

    assert.equal((await recoveries.stateOf(ada.id)).kind, 'paused')
    world.clock.advance(RECOVERY_PAUSE_SECONDS)
    assert.equal((await recoveries.stateOf(ada.id)).kind, 'none')
  })
})
