/**
 * How slow this machine is at the moment, so that nothing is given up only because the machine is busy.
 *
 * @module
 */

// What the loop below takes on a quiet core of the machine that the limits were chosen on.
const REFERENCE_MILLISECONDS = 90
const ROUNDS = 3_000_000
const SAMPLES = 3

/**
 * Measures how much longer than on a quiet reference machine a fixed piece of work takes.
 *
 * @returns The factor, at least 1.
 */
export function measureSlowness(): number {
  const samples = Array.from({ length: SAMPLES }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return Math.max(1, Math.max(...samples) / REFERENCE_MILLISECONDS)
}

function work(): number {
  let state = 1
  const seen = new Map<number, number>()
  for (let round = 0; round < ROUNDS; round++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    if (state % 64 === 0) seen.set(state % 4096, round)
  }
  return seen.size
}
