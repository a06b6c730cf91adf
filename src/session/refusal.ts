import { sentence } from '../core/internal.ts'
import { WatchedPromise } from './watched-promise.ts'

/** A change that comes after the response has been made. */
export class LateChange extends Error {
  constructor() {
    super(sentence`Cannot change the session: the response has been made`)
  }
}

/** A refused change, which knows whether it is awaited. */
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

/** The changes of one request that were refused before its response was made. */
export class Refusals {
  #refused: { readonly refusal: Refusal; readonly error: unknown }[] = []

  /**
   * @param refusal The promise that the caller received.
   * @param error Why it was refused.
   */
  add(refusal: Refusal, error: unknown): void {
    this.#refused.push({ refusal, error })
  }

  /** @returns The error of the first refusal that is not awaited; null when there is none. The call clears the list. */
  takeUnhandled(): { readonly error: unknown } | null {
    const refused = this.#refused
    this.#refused = []
    return refused.find(({ refusal }) => !refusal.isHandled) ?? null
  }
}

/**
 * Emits a warning for a change after the response whose promise is not awaited, because no response can report it any more.
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
 * Refuses a call without a session that could report it.
 *
 * @param error Why it is refused.
 * @returns A rejection; a warning is emitted when it is not awaited.
 */
export function refuseOrWarn(error: unknown): Promise<never> {
  const refusal = Refusal.of(error)
  warnUnlessHandled(refusal, error)
  return refusal
}

/**
 * Keeps the promise of a change from ending the process when it is not awaited. A change that comes too late then becomes a
 * warning, because the inner changes were awaited and cannot report it themselves.
 *
 * @param change The change.
 * @returns A promise with the same outcome.
 */
export function warnWhenLate<T>(change: Promise<T>): Promise<T> {
  const watched = new WatchedPromise<T>((resolve, reject) => void change.then(resolve, reject))
  watched.whenFailed((error) => {
    if (error instanceof LateChange) warnUnlessHandled(watched, error)
  })
  return watched
}

function ignore(): void {
  // Reported by the refusal itself.
}
