/** Reproducible random numbers: the same seed gives the same sequence. @module */

/** A sequence of numbers from a seed. */
export class Chance {
  #state: number

  /** @param seed Any number. */
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /**
   * Takes the next number.
   *
   * @param least The smallest that it may be.
   * @param most The largest that it may be.
   * @returns A whole number from `least` to `most`.
   */
  between(least: number, most: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    const part = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
    return least + Math.floor(part * (most - least + 1))
  }
}
