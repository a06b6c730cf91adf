/** What processes hold, minute by minute. @module */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const PATIENCE_MILLISECONDS = 10_000

/** What a process holds. */
export interface Held {
  /** Bytes of the heap after a collection. */
  readonly heapUsed: number
  /** Of these, bytes of compiled code. */
  readonly code: number
  /** Bytes of memory. */
  readonly rss: number
  /** What keeps it alive: sockets, timers. */
  readonly resources: number
}

/**
 * Has a program write down what it holds, at each SIGUSR2.
 *
 * @param folder Where to: a file for each `PORT`.
 * @returns Variables for its environment.
 */
export function probed(folder: string): Readonly<Record<string, string>> {
  const probe = import.meta.resolve('sallyport-app/testing/soak/probe')
  return { NODE_OPTIONS: `--expose-gc --import ${probe}`, PROBES: folder }
}

/** What the process on a port has held. */
export class Memory {
  readonly #file: string

  /**
   * Reads what a program writes down that was started with {@link probed}.
   *
   * @param folder The folder.
   * @param port Port of the program.
   */
  constructor(folder: string, port: number) {
    this.#file = join(folder, String(port))
  }

  /** @returns All that was written down. */
  get all(): readonly Held[] {
    if (!existsSync(this.#file)) return []
    const lines = readFileSync(this.#file, 'utf8').split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line) as Held)
  }

  /**
   * Asks the process once more.
   *
   * @param ask Makes the process write: sends it SIGUSR2.
   * @returns What it holds now.
   * @throws {Error} If it writes nothing.
   */
  async next(ask: () => void): Promise<Held> {
    const before = this.all.length
    ask()
    for (const end = performance.now() + PATIENCE_MILLISECONDS; performance.now() < end; await pause(20)) {
      const held = this.all.at(before)
      if (held !== undefined) return held
    }
    throw new Error('A process does not say what it holds')
  }
}

/**
 * Says by how much values grow from one to the next.
 *
 * @param values The values.
 * @returns The slope of the line that fits them best.
 */
export function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const along = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0)
  return along / values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0)
}
