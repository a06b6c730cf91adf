/** A change that comes when the response has been made. */
export class LateChange extends Error {
  constructor() {
    super('Cannot change the session: the response has been made')
  }
}

/** A promise that knows whether anybody waits for it. It ends no process when nobody does. */
class WatchedPromise<T> extends Promise<T> {
  // What listeners make of it is theirs.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  #isHeard = false

  /** Whether anybody waits for it. */
  get isHeard(): boolean {
    return this.#isHeard
  }

  /**
   * @param hear Hears why it failed, and is nobody who waits.
   */
  whenFailed(hear: (error: unknown) => void): void {
    super.then(undefined, hear)
  }

  // oxlint-disable-next-line unicorn/no-thenable
  override then<R = T, F = never>(
    onFulfilled?: ((value: T) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => F | PromiseLike<F>) | null,
  ): Promise<R | F> {
    this.#isHeard = true
    return super.then(onFulfilled, onRejected)
  }
}

/** A change that was refused, and whether anybody waits for it. */
export class Refusal extends WatchedPromise<never> {
  /**
   * @param error Why it was refused.
   * @returns The refusal.
   */
  static of(error: unknown): Refusal {
    const refusal = new Refusal((_, reject) => reject(error))
    refusal.whenFailed(ignore)
    return refusal
  }
}

/** The changes of one request that were refused before its answer was made. */
export class Refusals {
  #refused: { readonly refusal: Refusal; readonly error: unknown }[] = []

  /**
   * @param refusal What the caller got.
   * @param error Why it was refused.
   */
  add(refusal: Refusal, error: unknown): void {
    this.#refused.push({ refusal, error })
  }

  /** @returns The error of the first that nobody waits for; null: there is none. Asking forgets them all. */
  takeUnheard(): { readonly error: unknown } | null {
    const refused = this.#refused
    this.#refused = []
    return refused.find(({ refusal }) => !refusal.isHeard) ?? null
  }
}

/**
 * Warns of a change that came after the response, when nobody hears that it was refused: there is no answer left that
 * could say so.
 *
 * @param refusal The refusal.
 * @param error Why it was refused.
 */
export function warnUnlessHeard(refusal: WatchedPromise<unknown>, error: unknown): void {
  setImmediate(() => {
    if (!refusal.isHeard) process.emitWarning(error instanceof Error ? error : String(error))
  })
}

/**
 * Refuses a call that has no session which could report it.
 *
 * @param error Why it is refused.
 * @returns A rejection, and a warning where nobody waits for it.
 */
export function refuseOrWarn(error: unknown): Promise<never> {
  const refusal = Refusal.of(error)
  warnUnlessHeard(refusal, error)
  return refusal
}

/**
 * Hands out what changes the session, and ends no process where nobody waits for it. What of it comes too late is a warning
 * then: the changes that it is made of were awaited inside, so that they themselves can tell nobody.
 *
 * @param change The change.
 * @returns A promise of the same.
 */
export function warnWhenLate<T>(change: Promise<T>): Promise<T> {
  const watched = new WatchedPromise<T>((resolve, reject) => void change.then(resolve, reject))
  watched.whenFailed((error) => {
    if (error instanceof LateChange) warnUnlessHeard(watched, error)
  })
  return watched
}

function ignore(): void {
  // Reported elsewhere.
}
