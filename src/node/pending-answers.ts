/** The answers that the application is still making, also for clients that have gone. */
export class PendingAnswers {
  #count = 0
  #onIdle: (() => void) | null = null

  /**
   * Counts an answer until it is made.
   *
   * @param answer The answer.
   */
  add(answer: Promise<unknown>): void {
    this.#count++
    const end = (): void => {
      this.#count--
      if (this.#count === 0) this.#onIdle?.()
    }
    answer.then(end, end)
  }

  /**
   * Waits until every answer is made and the hooks that listen to it have run. An upload that was cut off is discarded then.
   *
   * @param milliseconds How long at most: an action need not end.
   */
  async settled(milliseconds: number): Promise<void> {
    if (this.#count > 0) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, milliseconds)
      this.#onIdle = resolve
      await promise
      clearTimeout(timer)
    }
    // Hooks run in the turn after a response was handed over.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
