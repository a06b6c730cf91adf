/**
 * Says once that something ends. An `AbortSignal` would not do: a worker forbids a request to use one that was created while
 * another request was answered.
 */
export class Ending {
  readonly #listeners = new Set<() => void>()
  #hasBegun = false

  /** Whether it has begun. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /**
   * @param listener Is called when it begins; never if it has begun.
   */
  add(listener: () => void): void {
    if (!this.#hasBegun) this.#listeners.add(listener)
  }

  /**
   * @param listener Is not called any more.
   */
  remove(listener: () => void): void {
    this.#listeners.delete(listener)
  }

  /** Calls all listeners. */
  begin(): void {
    this.#hasBegun = true
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
}
