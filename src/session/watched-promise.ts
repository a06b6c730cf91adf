/** A promise that knows whether anybody waits for it. One that is given `whenFailed()` ends no process when nobody does. */
export class WatchedPromise<T> extends Promise<T> {
  // What listeners make of it is theirs: `await` makes one too, and needs nothing of this.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  #isHandled = false

  /** Whether anybody waits for it. */
  get isHandled(): boolean {
    return this.#isHandled
  }

  /**
   * @param listener Gets why it failed, and does not count as somebody who waits.
   */
  whenFailed(listener: (error: unknown) => void): void {
    super.then(undefined, listener)
  }

  // oxlint-disable-next-line unicorn/no-thenable
  override then<R = T, F = never>(
    onFulfilled?: ((value: T) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => F | PromiseLike<F>) | null,
  ): Promise<R | F> {
    this.#isHandled = true
    return super.then(onFulfilled, onRejected)
  }
}
