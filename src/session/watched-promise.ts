/** A promise that knows whether anybody waits for it. With `whenFailed()`, its rejection never ends the process. */
export class WatchedPromise<T> extends Promise<T> {
  // Promises derived from it are ordinary ones: `await` creates one too, and needs none of this.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  #isHandled = false

  /** Whether anybody waits for it. */
  get isHandled(): boolean {
    return this.#isHandled
  }

  /**
   * @param listener Gets the reason of a rejection; it does not count as somebody who waits.
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
