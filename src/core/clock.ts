import { declarationError } from './declaration-error.ts'
import { shown } from './shown.ts'

// As far as a `Date` reaches.
const MAX_MILLISECONDS = 8.64e15

/**
 * Time as the framework and the application read it. Ask for it with `inject(Clock)`; a test registers a
 * frozen one instead.
 *
 * A clock of your own gives Unix time, in 1970 or later, that of `now()` and of `milliseconds()` alike; give both when you
 * give `milliseconds()`. It need not be monotonic: it may step forward and back, as the machine's does. What is not a
 * number, lies before 1970 or is out of the range of a `Date`, is a `TypeError` where it is read.
 *
 * @see Clause SCOPE-07.
 */
export abstract class Clock {
  /**
   * @returns The current moment.
   */
  abstract now(): Date

  /**
   * @returns The current Unix timestamp in whole seconds, rounded down.
   * @throws {TypeError} If `milliseconds()` gives no number from 1970 on that a `Date` can hold.
   */
  timestamp(): number {
    return Math.floor(presentOf(this) / 1000)
  }

  /**
   * @returns Milliseconds since 1970-01-01T00:00:00Z.
   */
  milliseconds(): number {
    return this.now().getTime()
  }
}

/** The clock of the machine. */
export class SystemClock extends Clock {
  /**
   * @returns The current moment by the machine's clock.
   */
  override now(): Date {
    return new Date()
  }

  /**
   * @returns Milliseconds since 1970-01-01T00:00:00Z by the machine's clock.
   */
  override milliseconds(): number {
    return Date.now()
  }
}

/**
 * Reads a clock that anybody may have made. With `NaN` nothing would ever be over, for it compares as neither more nor
 * less.
 *
 * @param clock The clock.
 * @returns Milliseconds since 1970-01-01T00:00:00Z.
 * @throws {TypeError} If the clock gives no number from 1970 on that a `Date` can hold.
 */
export function presentOf(clock: Clock): number {
  const milliseconds: unknown = clock.milliseconds()
  if (typeof milliseconds === 'number' && milliseconds >= 0 && milliseconds <= MAX_MILLISECONDS)
    return milliseconds
  const given =
    typeof milliseconds === 'number' ? String(milliseconds) : `a value of type ${typeof milliseconds}`
  throw new TypeError(`Cannot read the clock: milliseconds() gave ${given}, not Unix milliseconds`)
}

/**
 * Checks an option that takes a clock.
 *
 * @param given What was given.
 * @throws {TypeError} If it is no clock.
 */
export function assertClock(given: unknown): void {
  const isObject = typeof given === 'object' && given !== null
  if (isObject && 'milliseconds' in given && typeof given.milliseconds === 'function') return
  throw declarationError(`Cannot use ${shown(given)} as clock: give a Clock`)
}
