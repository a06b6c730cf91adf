/**
 * Random sequences of what happens to accounts, each compared with the model after every step: `node account-walk.ts RUNS SEED`.
 * Its own process, because the hooks of the test runner take as long as the requests. A failure prints the shortest sequence and its
 * path: `node account-walk.ts RUNS SEED PATH` plays that one alone.
 *
 * @module
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Closing } from 'sallyport-app/testing'
import { missing } from '../facts-of-parts.ts'
import { World } from '../support.ts'
import { sequence } from './account-habits.ts'
import { REACHED } from './account-outcomes.ts'
import { outcomes, WalkCast } from './walk-cast.ts'
import { Walk } from './walk.ts'

const [runs = 100, seed = 1] = process.argv.slice(2, 4).map(Number)
const path = process.argv[4]
const closing = new Closing()
const world = await World.create(closing)
await world.app.boot()
let run = 0
const property = fc.asyncProperty(sequence, async (habits) => {
  world.faults.length = 0
  const walk = new Walk(await WalkCast.create(world, (run += 1)))
  for (const next of habits.flat()) await walk.take(next)
})
try {
  await fc.assert(property, { numRuns: runs, seed, ...(path !== undefined && { path }) })
  const { user } = process.cpuUsage()
  const counted = [...outcomes].toSorted().map(([outcome, count]) => `${outcome}: ${count}`)
  process.stdout.write(
    `${run} sequences, ${Math.round(user / 1e6)} s of processor time\n${counted.join('\n')}\n`,
  )
  // What is aimed at needs the steps of every part.
  const aims = missing('address-change', 'administration', 'lost-factor', 'passkeys', 'sessions', 'unlock')
    ? []
    : REACHED
  const missed = aims.filter((outcome) => !outcomes.has(outcome))
  assert.ok(path !== undefined || runs < 500 || missed.length === 0, `never: ${missed.join(', ')}`)
} finally {
  await closing.close()
}
