/** An authenticator app, by the clock of this machine. @module */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { SystemClock } from 'sallyport'

// The step before is refused from the last second of the present one on.
const REMAINING_SECONDS = 8
const GUESSES = ['000000', '111111', '222222', '333333', '444444', '555555', '666666']

/** Never shows one code twice. */
export class Authenticator {
  /** Codes that were shown, in this order. */
  readonly shown: string[] = []
  readonly #codeAt: (epoch: number) => Promise<string>
  readonly #periodSeconds: number
  readonly #clock = new SystemClock()
  #last = 0

  /**
   * Has shown nothing yet.
   *
   * @param codeAt Computes the six digits of a moment, which is a Unix timestamp.
   * @param periodSeconds How long a code is shown. Default: 30.
   */
  constructor(codeAt: (epoch: number) => Promise<string>, periodSeconds = 30) {
    this.#codeAt = codeAt
    this.#periodSeconds = periodSeconds
  }

  /**
   * Shows a code that an application accepts for most of a period, if it accepts that of the step before. Two in a row come without
   * waiting; a third waits for the next step.
   *
   * @returns A code that was not shown before.
   */
  async next(): Promise<string> {
    const now = this.#clock.milliseconds()
    const current = this.#step(now)
    const isEarly = (now / 1000) % this.#periodSeconds < REMAINING_SECONDS
    const step = Math.max(isEarly ? current - 1 : current, this.#last + 1)
    if (step > current) {
      await pause(step * this.#periodSeconds * 1000 - now + 20)
      return this.next()
    }
    this.#last = step
    const code = await this.#at(step)
    this.shown.push(code)
    return code
  }

  /**
   * Finds a wrong code.
   *
   * @returns Six digits that are no code of a step near the present.
   */
  async wrong(): Promise<string> {
    const current = this.#step(this.#clock.milliseconds())
    const near = await Promise.all([-2, -1, 0, 1, 2, 3].map((steps) => this.#at(current + steps)))
    return GUESSES.find((code) => !near.includes(code)) ?? assert.fail()
  }

  #step(milliseconds: number): number {
    return Math.floor(milliseconds / 1000 / this.#periodSeconds)
  }

  #at(step: number): Promise<string> {
    return this.#codeAt(step * this.#periodSeconds)
  }
}
