/** So many requests a second, whoever makes them. @module */
import { setTimeout as pause } from 'node:timers/promises'

/** Everybody who makes a request waits here for a turn. */
export class Pace {
  readonly #millisecondsBetween: number
  #next = performance.now()

  /**
   * Begins at once.
   *
   * @param perSecond How many requests are made in a second at most.
   */
  constructor(perSecond: number) {
    this.#millisecondsBetween = 1000 / perSecond
  }

  /** Waits for a turn. */
  async turn(): Promise<void> {
    const now = performance.now()
    this.#next = Math.max(this.#next + this.#millisecondsBetween, now)
    await pause(this.#next - now)
  }
}
