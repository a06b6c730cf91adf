/**
 * Random sequences of what happens to accounts, each compared with the model after every step: `node account-walk.ts RUNS SEED`.
 * Its own process, because the hooks of the test runner take as long as the requests. A failure prints the shortest sequence and its
 * path: `node account-walk.ts RUNS SEED PATH` plays that one alone.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { World } from '../support.ts'
import { habit } from './account-habits.ts'
import { REACHED } from './account-outcomes.ts'
import { outcomes, WalkCast } from './walk-cast.ts'
import { Walk } from './walk.ts'

const [runs = 100, seed = 1] = process.argv.slice(2, 4).map(Number)
const path = process.argv[4]
const directory = mkdtempSync(join(tmpdir(), 'sallyport-walk-'))
const hooks: (() => void | Promise<void>)[] = []
const world = await World.open({ after: (hook) => void hooks.push(hook) }, directory)
await world.app.boot()
let run = 0
const sequences = fc.array(habit, { minLength: 2, maxLength: 4, size: 'max' })
const property = fc.asyncProperty(sequences, async (sequence) => {
  world.faults.length = 0
  const walk = new Walk(await WalkCast.create(world, (run += 1)))
  for (const next of sequence.flat()) await walk.take(next)
})
try {
  await fc.assert(property, { numRuns: runs, seed, ...(path !== undefined && { path }) })
  const { user } = process.cpuUsage()
  const counted = [...outcomes].toSorted().map(([outcome, count]) => `${outcome}: ${count}`)
  process.stdout.write(
    `${run} sequences, ${Math.round(user / 1e6)} s of processor time\n${counted.join('\n')}\n`,
  )
  const missed = REACHED.filter((outcome) => !outcomes.has(outcome))
  assert.ok(path !== undefined || runs < 500 || missed.length === 0, `never: ${missed.join(', ')}`)
} finally {
  for (const hook of hooks) await hook()
  rmSync(directory, { recursive: true })
}
