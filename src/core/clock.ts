/**
 * Time as the framework and the application read it. Ask for it with `inject(Clock)`; a test registers a
 * frozen one instead.
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
   */
  timestamp(): number {
    return Math.floor(this.milliseconds() / 1000)
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
