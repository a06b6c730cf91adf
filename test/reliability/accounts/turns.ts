import type { Choice } from '../../attacks/fixture/scheduler.ts'

const MAX_TURNS = 10_000

/**
 * Lets one operation of several requests go on at a time. A request may wait with several operations at once, unlike those
 * of `Scheduler`. What lies between two operations must need no more than the promises of this process.
 */
export class Turns {
  #waiting: (() => void)[] = []
  #isActive = false

  /** Called before every operation of the store. */
  readonly point = (): void | Promise<void> => {
    if (!this.#isActive) return undefined
    return new Promise((go) => void this.#waiting.push(go))
  }

  /**
   * Runs requests to their end.
   *
   * @param tasks The requests.
   * @param choose Decides which operation goes on.
   */
  async run(tasks: readonly (() => Promise<void>)[], choose: Choice): Promise<void> {
    this.#isActive = true
    const left = new Set(tasks.keys())
    const done = Promise.all(tasks.map((task, index) => task().finally(() => left.delete(index))))
    done.catch(() => undefined)
    try {
      for (let turns = 0; left.size > 0; turns++) {
        await new Promise((resolve) => setImmediate(resolve))
        if (this.#waiting.length > 0) this.#waiting.splice(choose([...this.#waiting.keys()]), 1)[0]?.()
        else if (turns > MAX_TURNS) throw new Error('A request neither waits nor ends')
      }
    } finally {
      this.#isActive = false
      for (const go of this.#waiting.splice(0)) go()
    }
    await done
  }
}
