import { Clock } from '../core/index.ts'
import { shown } from '../core/internal.ts'

/**
 * A clock that stands still until a test moves it.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { FrozenClock } from 'sallyport/testing'
 *
 * const clock = new FrozenClock('2026-01-31T23:59:59Z')
 * clock.advance(1)
 *
 * assert.equal(clock.now().toISOString(), '2026-02-01T00:00:00.000Z')
 * ```
 */
export class FrozenClock extends Clock {
  #milliseconds: number

  /**
   * @param at The time: a date, an ISO 8601 string, or Unix seconds. Default: 2026-01-01T00:00:00Z.
   * @throws {RangeError} If it is not a valid time.
   */
  constructor(at: Date | string | number = '2026-01-01T00:00:00Z') {
    super()
    this.#milliseconds = moment(at)
  }

  override now(): Date {
    return new Date(this.#milliseconds)
  }

  override milliseconds(): number {
    return this.#milliseconds
  }

  /**
   * @param at The new time: a date, an ISO 8601 string, or Unix seconds.
   * @throws {RangeError} If it is not a valid time.
   */
  set(at: Date | string | number): void {
    this.#milliseconds = moment(at)
  }

  /**
   * @param seconds How far to move; negative values move backwards.
   * @throws {RangeError} If it is not a number.
   */
  advance(seconds: number): void {
    const milliseconds =
      typeof seconds === 'number' ? Math.round(this.#milliseconds + seconds * 1000) : Number.NaN
    if (!Number.isFinite(milliseconds))
      throw new RangeError(
        `Cannot advance a clock by ${shown(seconds)}: it must be a finite number of seconds`,
      )
    this.#milliseconds = milliseconds
  }
}

function moment(at: Date | string | number): number {
  const milliseconds =
    typeof at === 'number'
      ? Math.round(at * 1000)
      : at instanceof Date
        ? at.getTime()
        : typeof at === 'string'
          ? Date.parse(at)
          : Number.NaN
  if (!Number.isFinite(milliseconds))
    throw new RangeError(
      `Cannot set a clock to ${shown(at)}: pass a date, an ISO 8601 string or Unix seconds`,
    )
  return milliseconds
}
