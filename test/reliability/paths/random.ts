/** Pseudo-random numbers that a seed repeats: the same seed makes the same applications and URLs. */
export class Random {
  #state: number

  /**
   * @param seed Any integer.
   */
  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** A number from 0 up to, not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** An integer from 0 up to, not including, a limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  /** Whether something happens that has this probability. */
  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** One of a list. */
  pick<T>(list: readonly T[]): T {
    const at = this.below(list.length)
    for (const item of list.slice(at, at + 1)) return item
    throw new RangeError('Cannot pick from an empty list')
  }

  /** Some of a list, in its order. */
  some<T>(list: readonly T[], probability: number): T[] {
    return list.filter(() => this.chance(probability))
  }
}

/** The seed of a run, taken from an environment variable or new. */
export function seedOf(variable: string): number {
  const given = process.env[variable]
  return given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)
}
