import type { TestContext } from 'node:test'

/**
 * Prints a figure of the reliability goals beside its test, so that a run leaves a record of what was measured:
 * `R-31: plain routes p99 under a flood: 1.4 x idle (goal: at most 2)`. It asserts nothing.
 */
export function figure(t: TestContext, id: string, { what, value, goal }: Figure): void {
  t.diagnostic(`${id}: ${what}: ${value} (goal: ${goal})`)
}

export interface Figure {
  /** What was measured, with its size: `lost updates in 400 parallel writes over 4 processes`. */
  what: string
  /** The value with its unit. */
  value: string | number
  /** The goal of the figure: `0`, `at most 2 x idle`. */
  goal: string
}

/** The value of a figure that nobody counts: the first case fails the test before it is printed. */
export const NONE = 'none, for the first would fail the test'

/** The size of a run: the first in `npm test`, the second in `npm run test:nightly`. */
export function sized<T = number>(perChange: T, nightly: T): T {
  return process.env.NIGHTLY === '1' ? nightly : perChange
}
