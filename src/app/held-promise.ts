import { WatchedPromise } from '../session/internal.ts'

/** Knows whether a fault still has somebody to go to. */
export interface FaultKeeper {
  /**
   * Keeps a promise that failed until it is known who will see its fault; it is decided then.
   *
   * @param promise The promise.
   */
  keep(promise: HeldPromise<unknown>): void
  /**
   * @param fault A fault that nobody will see.
   */
  report(fault: unknown): void
}

interface Held {
  readonly fault: unknown
}

/**
 * A promise that never rejects unheard, nor does a chain that begins at it: a fault is held back until somebody listens
 * for it, and goes to the keeper when it is too late for that. What `await` makes of it is out of reach.
 */
export class HeldPromise<T> extends WatchedPromise<T> {
  readonly #keeper: FaultKeeper
  readonly #instead: ((fault: unknown) => T) | null
  readonly #settle: { resolve(value: T): void; reject(fault: unknown): void }
  #source: Promise<T> | null = null
  #held: Held | null = null

  /**
   * @param keeper Knows whether a fault still has somebody to go to.
   * @param instead Reports a fault that came too late, and makes a value that stands for it; null: there is none.
   */
  constructor(keeper: FaultKeeper, instead: ((fault: unknown) => T) | null) {
    const settle: { resolve(value: T): void; reject(fault: unknown): void } = {
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
   * @param fault What it fails with.
   */
  fail(fault: unknown): void {
    this.#held = { fault }
    this.#keeper.keep(this)
  }

  /**
   * @param source Settles it, from the first listener or from `start()` on.
   */
  follow(source: Promise<T>): void {
    this.#source = source
  }

  /** Follows its source although nobody listens. */
  start(): void {
    const source = this.#source
    this.#source = null
    source?.then(
      (value) => this.#settle.resolve(value),
      (fault: unknown) => this.fail(fault),
    )
  }

  /**
   * Lets a fault that was held back go where it can.
   *
   * @param isLate Whether an exception would reach nobody any more.
   */
  decide(isLate: boolean): void {
    const held = this.#held
    if (held === null || (!isLate && !this.isHandled)) return
    this.#held = null
    if (isLate && this.#instead !== null) this.#settle.resolve(this.#instead(held.fault))
    else if (this.isHandled) this.#settle.reject(held.fault)
    else this.#keeper.report(held.fault)
  }

  // oxlint-disable-next-line unicorn/no-thenable
  override then<R = T, F = never>(
    onFulfilled?: ((value: T) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => F | PromiseLike<F>) | null,
  ): Promise<R | F> {
    const derived = this.#listened(super.then(onFulfilled, onRejected))
    // Whoever listens for success alone leaves the fault to the promise that comes of it.
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
