/** A promise that knows whether it is awaited. After `whenFailed()` its rejection never ends the process. */
export class WatchedPromise<T> extends Promise<T> {
  // Derived promises are ordinary ones: `await` creates one too and needs none of this.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  #isHandled = false

  /** Whether any code awaits it. */
  get isHandled(): boolean {
    return this.#isHandled
  }

  /**
   * @param listener Receives the reason of a rejection; it does not count as awaiting.
   */
  whenFailed(listener: (error: unknown) => void): void {
    super.then(undefined, listener)
  }

  override then<R = T, F = never>(
    onFulfilled?: ((value: T) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => F | PromiseLike<F>) | null,
  ): Promise<R | F> {
    this.#isHandled = true
    return super.then(onFulfilled, onRejected)
  }
}
