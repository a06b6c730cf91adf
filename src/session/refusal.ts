import { WatchedPromise } from './watched-promise.ts'

/** A change that comes when the response has been made. */
export class LateChange extends Error {
  constructor() {
    super('Cannot change the session: the response has been made')
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
  takeUnhandled(): { readonly error: unknown } | null {
    const refused = this.#refused
    this.#refused = []
    return refused.find(({ refusal }) => !refusal.isHandled) ?? null
  }
}

/**
 * Warns of a change that came after the response, when nobody waits for the refusal: there is no answer left that
 * could say so.
 *
 * @param refusal The refusal.
 * @param error Why it was refused.
 */
export function warnUnlessHandled(refusal: WatchedPromise<unknown>, error: unknown): void {
  setImmediate(() => {
    if (!refusal.isHandled) process.emitWarning(error instanceof Error ? error : String(error))
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
  warnUnlessHandled(refusal, error)
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
    if (error instanceof LateChange) warnUnlessHandled(watched, error)
  })
  return watched
}

function ignore(): void {
  // Reported elsewhere.
}
