/** Measured values, sorted when somebody asks for one by its place. */
export class Samples {
  readonly #values: number[] = []
  #isSorted = true

  /** Adds a value. */
  add(value: number): void {
    this.#values.push(value)
    this.#isSorted = false
  }

  /** How many there are. */
  get count(): number {
    return this.#values.length
  }

  /** The value below which that part of all is: 0.5 is the median, 0.99 the 99th percentile. 0 when there is none. */
  at(part: number): number {
    if (!this.#isSorted) this.#values.sort((a, b) => a - b)
    this.#isSorted = true
    return this.#values[Math.min(this.#values.length - 1, Math.floor(this.#values.length * part))] ?? 0
  }

  /** The largest one. */
  get most(): number {
    return this.at(1)
  }

  /** All of them, in order of size. */
  sorted(): readonly number[] {
    this.at(0)
    return this.#values
  }
}
