import { ServiceUnavailableException } from 'sallyport/http'

const WAIT_MILLISECONDS = 5000
const MAX_WAITING = 64
// Attempts in other processes can only be polled; this is the interval.
const ASK_MILLISECONDS = 100

/** The wait of one attempt, for all subjects together. */
export interface Patience {
  /**
   * Waits until an attempt for a subject has ended, or one in another process may have.
   *
   * @param subject What the limit protects.
   * @throws {ServiceUnavailableException} If too many attempts wait, or this one has waited too long.
   */
  wait(subject: string): Promise<void>
}

/**
 * Attempts that wait for others being checked at the moment. Those count as failures, although most of them may turn out
 * correct. An attempt that is over the limit only because of them waits until one has ended, instead of being refused.
 */
export class TriesInFlight {
  readonly #waiting = new Map<string, Set<() => void>>()

  /**
   * @param subjects Subjects of an attempt that has been checked.
   */
  end(subjects: readonly { readonly subject: string }[]): void {
    for (const { subject } of subjects) for (const wake of this.#waiting.get(subject) ?? []) wake()
  }

  /**
   * @returns The wait of one attempt.
   */
  patience(): Patience {
    const end = performance.now() + WAIT_MILLISECONDS
    return { wait: (subject) => this.#wait(subject, end - performance.now()) }
  }

  async #wait(subject: string, milliseconds: number): Promise<void> {
    const waiting = this.#waiting.get(subject) ?? new Set()
    if (waiting.size >= MAX_WAITING || milliseconds <= 0)
      throw new ServiceUnavailableException('Too many logins at the moment', { retryAfterSeconds: 2 })
    const { promise, resolve: wake } = Promise.withResolvers<void>()
    const timer = setTimeout(wake, Math.min(milliseconds, ASK_MILLISECONDS))
    this.#waiting.set(subject, waiting.add(wake))
    await promise
    clearTimeout(timer)
    waiting.delete(wake)
    if (waiting.size === 0) this.#waiting.delete(subject)
  }
}
