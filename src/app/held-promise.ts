import { WatchedPromise } from '../session/internal.ts'

/** Decides what happens to an error that may have no recipient any more. */
export interface FaultKeeper {
  /**
   * Keeps a failed promise until it is known who receives its error.
   *
   * @param promise The promise.
   */
  keep(promise: HeldPromise<unknown>): void
  /**
   * @param fault An error without a recipient.
   */
  report(fault: unknown): void
}

interface Held {
  readonly fault: unknown
}

/**
 * A promise that never causes an unhandled rejection, nor does a chain that starts with it. Its error is held back until it
 * has a listener; when it is too late for one, the error goes to the keeper. A promise created by `await` is out of reach.
 */
export class HeldPromise<T> extends WatchedPromise<T> {
  readonly #keeper: FaultKeeper
  readonly #instead: ((fault: unknown) => T | Promise<T>) | null
  readonly #settle: { resolve(value: T | Promise<T>): void; reject(fault: unknown): void }
  #source: Promise<T> | null = null
  #held: Held | null = null

  /**
   * @param keeper Decides what happens to an error that may have no recipient.
   * @param instead Reports an error that came too late and returns a substitute value; null when there is none.
   */
  constructor(keeper: FaultKeeper, instead: ((fault: unknown) => T | Promise<T>) | null) {
    const settle: { resolve(value: T | Promise<T>): void; reject(fault: unknown): void } = {
      resolve: ignore,
      reject: ignore,
    }
    super((resolve, reject) => {
      settle.resolve = resolve
      settle.reject = reject
    })
    this.#keeper = keeper
    this.#instead = instead
    this.#settle = settle
  }

  /**
   * @param fault The error to fail with.
   */
  fail(fault: unknown): void {
    this.#held = { fault }
    this.#keeper.keep(this)
  }

  /**
   * @param source Settles this promise, from the first listener or `start()` on.
   */
  follow(source: Promise<T>): void {
    this.#source = source
  }

  /** Follows its source even without a listener. */
  start(): void {
    const source = this.#source
    this.#source = null
    source?.then(
      (value) => this.#settle.resolve(value),
      (fault: unknown) => this.fail(fault),
    )
  }

  /**
   * Releases an error that was held back.
   *
   * @param isLate Whether an exception could no longer reach anyone.
   */
  decide(isLate: boolean): void {
    const held = this.#held
    if (held === null || (!isLate && !this.isHandled)) return
    this.#held = null
    if (isLate && this.#instead !== null) this.#settle.resolve(this.#instead(held.fault))
    else if (this.isHandled) this.#settle.reject(held.fault)
    else this.#keeper.report(held.fault)
  }

  override then<R = T, F = never>(
    onFulfilled?: ((value: T) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => F | PromiseLike<F>) | null,
  ): Promise<R | F> {
    const derived = this.#listened(super.then(onFulfilled, onRejected))
    // A listener for success alone leaves the error to the derived promise.
    return typeof onRejected === 'function' ? derived : this.#watched(derived)
  }

  override catch<F = never>(onRejected?: ((reason: unknown) => F | PromiseLike<F>) | null): Promise<T | F> {
    return this.#watched(this.#listened(super.then(undefined, onRejected)))
  }

  override finally(onFinally?: (() => void) | null): Promise<T> {
    return this.#watched(super.finally(onFinally))
  }

  #listened<R>(derived: Promise<R>): Promise<R> {
    this.start()
    if (this.#held !== null) this.#keeper.keep(this)
    return derived
  }

  #watched<R>(derived: Promise<R>): Promise<R> {
    const promise = new HeldPromise<R>(this.#keeper, null)
    promise.follow(derived)
    promise.start()
    return promise
  }
}

function ignore(): void {
  // Replaced before the constructor returns.
}
