/** A write that waits for its transaction. */
interface Write {
  /** Makes the write; returns what reports its result after the commit. */
  readonly apply: () => () => void
  readonly fail: (error: unknown) => void
}

/**
 * Makes the writes of two turns of the event loop in one transaction. A commit waits for the disk, which takes longer than
 * all of them, and an idle process has its next turn at once. No write is confirmed before the commit, and one that fails
 * does not fail the others.
 */
export class SharedTransaction {
  readonly #inTransaction: <T>(work: () => T) => Promise<T>
  #writes: Write[] = []

  /**
   * @param inTransaction Runs its argument in a transaction, perhaps repeatedly, and resolves with the result after the
   * commit. The first attempt is immediate.
   */
  constructor(inTransaction: <T>(work: () => T) => Promise<T>) {
    this.#inTransaction = inTransaction
  }

  /**
   * @param work The write. It runs again if the transaction was rolled back.
   * @returns Its result, after the commit; rejects if nothing was written.
   */
  add<T>(work: () => T): Promise<T> {
    if (this.#writes.length === 0) setImmediate(() => setImmediate(() => this.begin()))
    return new Promise((resolve, reject) => {
      const apply = (): (() => void) => {
        const result = work()
        return () => resolve(result)
      }
      this.#writes.push({ apply, fail: reject })
    })
  }

  /** Makes the waiting writes now. */
  begin(): void {
    const writes = this.#writes
    this.#writes = []
    if (writes.length > 0) void this.#make(writes)
  }

  async #make(writes: readonly Write[]): Promise<void> {
    let hasFailed = false
    const applyAll = (): (() => void)[] => {
      hasFailed = true
      const confirmations = writes.map(({ apply }) => apply())
      hasFailed = false
      return confirmations
    }
    try {
      for (const confirm of await this.#inTransaction(applyAll)) confirm()
    } catch (error) {
      // Each one again, to find out whose fault it is; but not after a commit that failed, which may be on the disk.
      if (hasFailed && writes.length > 1) for (const write of writes) void this.#make([write])
      else for (const { fail } of writes) fail(error)
    }
  }
}
