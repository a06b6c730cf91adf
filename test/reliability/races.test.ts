import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MemorySessionStore } from 'sallyport/session'
import { FrozenClock } from 'sallyport/testing'
import { PointStore } from '../attacks/fixture/point-store.ts'
import { atRandom, type Choice, Scheduler } from '../attacks/fixture/scheduler.ts'
import { figure, sized, NONE } from './figure.ts'
import {
  assertExplained,
  DEEDS,
  type Deed,
  type Ground,
  outcomeOf,
  request,
  signedIn,
} from './races/trial.ts'

// A failure names the number of its trial; a run with the seed and that number repeats it.
const SEED = Number(process.env['RACES_SEED'] ?? Date.now() % 2 ** 31)

interface Scheduled extends Ground {
  readonly scheduler: Scheduler
  readonly plain: Ground
}

/** A store at whose every operation the test decides who goes on. */
function scheduledGround(): Scheduled {
  const clock = new FrozenClock()
  const scheduler = new Scheduler()
  const store = new MemorySessionStore({ clock })
  return { clock, scheduler, store: new PointStore(store, scheduler.point), plain: { clock, store } }
}

async function play(
  ground: Scheduled,
  deeds: readonly Deed[],
  choice: Choice,
  said: () => string,
): Promise<void> {
  const cookie = await signedIn(ground.plain)
  const tasks = deeds.map((deed, index) => () => request(ground, cookie, deed, index))
  const changes = await ground.scheduler.run(tasks, choice)
  assertExplained(deeds, await outcomeOf(ground.plain, cookie, changes), said())
}

/** Plays every order of operations of two requests, one after another: each run continues where the last one branched. */
async function playAll(ground: Scheduled, deeds: readonly Deed[]): Promise<number> {
  let prefix: number[] = []
  for (let count = 1; count < 10_000; count++) {
    const taken: { choice: number; of: number }[] = []
    const choice: Choice = (waiting) => {
      const next = prefix[taken.length] ?? 0
      taken.push({ choice: next, of: waiting.length })
      return next
    }
    await play(ground, deeds, choice, () => `the order ${taken.map((each) => each.choice).join('')}`)
    const branch = taken.findLastIndex((each) => each.choice + 1 < each.of)
    if (branch === -1) return count
    prefix = [...taken.slice(0, branch).map((each) => each.choice), (taken[branch]?.choice ?? 0) + 1]
  }
  assert.fail('the orders do not end')
}

describe('requests of one session at once', () => {
  it('every order of the operations of any two requests is explained by an order of the requests [R-05 R-06]', async (t) => {
    const ground = scheduledGround()
    let count = 0
    for (const first of DEEDS) for (const second of DEEDS) count += await playAll(ground, [first, second])
    figure(t, 'R-05', {
      what: `sessions that come back in all ${count} orders of 2 requests`,
      value: NONE,
      goal: '0',
    })
    assert.ok(count > 250)
  })

  it('random orders of the operations of three requests are [R-05 R-06]', async (t) => {
    t.diagnostic(`play it again with RACES_SEED=${SEED}`)
    const ground = scheduledGround()
    const count = sized(1000, 10_000)
    for (let trial = 0; trial < count; trial++) {
      const digits = [trial, Math.floor(trial / 7), Math.floor(trial / 49)]
      const deeds = digits.map((digit) => DEEDS[digit % 7] ?? 'read')
      await play(ground, deeds, atRandom(SEED + trial), () => `trial ${trial} of seed ${SEED}`)
    }
    figure(t, 'R-05', {
      what: `sessions that come back in ${count} random orders of 3`,
      value: NONE,
      goal: '0',
    })
  })
})
