import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { World } from '../support.ts'
import { AIMS, sequence } from './habits.ts'
import { Walk } from './walk.ts'

// More: FLOW_RUNS=2000. A failure prints the shortest sequence, and the seed and path to repeat it with.
const RUNS = Number(process.env['FLOW_RUNS'] ?? 60)
const FEW = 500

describe('the rules of signing in and of proofs', () => {
  it(`hold after every step of ${RUNS} sequences, in every browser, whenever and however far the clock is set [HOLD-50 FLOW-01 FLOW-02 FLOW-05 FLOW-56 FACTOR-18 R-60 RA-1401 RA-1601 RA-3001 RA-3002]`, async (test) => {
    const world = await World.create(test)
    const outcomes = new Set<string>()
    let run = 0
    const property = fc.asyncProperty(sequence, async (habits) => {
      world.faults.length = 0
      const walk = await Walk.create(world, (run += 1), outcomes)
      for (const next of habits.flat()) await walk.take(next)
    })

    await fc.assert(property, { numRuns: RUNS, endOnFailure: false })

    const missed = AIMS.filter((outcome) => !outcomes.has(outcome))
    if (RUNS >= FEW) assert.deepEqual(missed, [], 'a habit gets nowhere')
  })
})
