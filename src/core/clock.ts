import { sentence } from './sentence.ts'
import { declarationError } from './declaration-error.ts'
import { shown } from './shown.ts'

// The largest time value of a `Date`, ECMA-262 section 21.4.1.1.
const MAX_MILLISECONDS = 8.64e15

/**
 * The time, as the framework and the application read it. Get it with `inject(Clock)`; tests register a frozen clock.
 *
 * A clock of your own returns Unix time from 1970 on. `now()` and `milliseconds()` must agree: override both or only
 * `now()`. The clock may jump forward and back, as the machine's does. Reading a value that is not a number, lies before
 * 1970 or exceeds the range of a `Date` throws a `TypeError`.
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
   * @throws {TypeError} If `milliseconds()` returns anything but a number from 1970 on that a `Date` can hold.
   */
  timestamp(): number {
    return Math.floor(readClock(this) / 1000)
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
 * Reads a clock that may come from the application, and checks the value. Nothing would ever expire with `NaN`, because
 * every comparison with it is false.
 *
 * @param clock The clock.
 * @returns Milliseconds since 1970-01-01T00:00:00Z.
 * @throws {TypeError} If the clock returns anything but a number from 1970 on that a `Date` can hold.
 */
export function readClock(clock: Clock): number {
  const milliseconds: unknown = clock.milliseconds()
  if (typeof milliseconds === 'number' && milliseconds >= 0 && milliseconds <= MAX_MILLISECONDS)
    return milliseconds
  const given =
    typeof milliseconds === 'number' ? String(milliseconds) : sentence`a value of type ${typeof milliseconds}`
  throw new TypeError(
    sentence`Cannot read the clock: milliseconds() returned ${given}, not Unix milliseconds`,
  )
}

/**
 * Checks an option that takes a clock.
 *
 * @param given The option as passed.
 * @throws {TypeError} If it is not a clock.
 */
export function assertClock(given: unknown): void {
  const isObject = typeof given === 'object' && given !== null
  if (isObject && 'milliseconds' in given && typeof given.milliseconds === 'function') return
  throw declarationError(sentence`Cannot use ${shown(given)} as clock: pass a Clock`)
}
