/** What came back, and whether that was to be expected at that time. @module */

/** Something that is done to a process or a server. */
export interface Fault {
  /** What it is, for messages. */
  readonly what: string
  /** The statuses that it excuses while it lasts. */
  readonly excuses: readonly number[]
  /** When it began, by `performance.now()`. */
  readonly from: number
  /** When everything was there again. */
  to: number
}

/** A response that is not what was asked for. */
export interface Miss {
  /** What was asked for. */
  readonly what: string
  /** The status that came. */
  readonly status: number
  /** When it was asked for, by `performance.now()`. */
  readonly from: number
  /** When it came. */
  readonly to: number
}

// Connections that were lost are opened again by what comes next.
const AFTERMATH_MILLISECONDS = 3000

/** Counts responses, and keeps those that are not what was asked for. */
export class Tally {
  readonly #always: readonly number[]
  readonly #faults: Fault[] = []
  readonly #misses: Miss[] = []
  #answered = 0
  #judged = 0

  /**
   * Counts nothing yet.
   *
   * @param always Statuses that are excused at any time. Default: none.
   */
  constructor(always: readonly number[] = []) {
    this.#always = always
  }

  /** A request got what it was to get. */
  answered(): void {
    this.#answered += 1
  }

  /**
   * A request got something else.
   *
   * @param miss What came.
   */
  missed(miss: Miss): void {
    this.#misses.push(miss)
  }

  /** How many requests got what they were to get. */
  get count(): number {
    return this.#answered
  }

  /** Everything that was done to processes and servers. */
  get faults(): readonly Fault[] {
    return this.#faults
  }

  /**
   * Does something to a process or a server, and remembers for how long.
   *
   * @param fault What it is, and what it excuses.
   * @param act Does it, and brings everything back.
   */
  async during(fault: Pick<Fault, 'what' | 'excuses'>, act: () => Promise<void>): Promise<void> {
    const lasting: Fault = { ...fault, from: performance.now(), to: Infinity }
    this.#faults.push(lasting)
    await act()
    lasting.to = performance.now()
  }

  /** @returns Of the responses since the last call: those that a fault excuses, by their status, and the others. */
  judge(): { readonly excused: ReadonlyMap<number, number>; readonly unexpected: readonly string[] } {
    const excused = new Map<number, number>()
    const unexpected: string[] = []
    for (const miss of this.#misses.slice(this.#judged)) {
      if (this.#always.includes(miss.status) || this.#faults.some((fault) => isExcused(miss, fault)))
        excused.set(miss.status, (excused.get(miss.status) ?? 0) + 1)
      else unexpected.push(`${miss.what}: ${miss.status}`)
    }
    this.#judged = this.#misses.length
    return { excused, unexpected }
  }
}

function isExcused({ status, from, to }: Miss, fault: Fault): boolean {
  return fault.excuses.includes(status) && to >= fault.from && from <= fault.to + AFTERMATH_MILLISECONDS
}
