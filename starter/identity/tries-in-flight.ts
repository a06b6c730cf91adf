import { ServiceUnavailableException } from 'sallyport/http'

const WAIT_MILLISECONDS = 5000
const MAX_WAITING = 64
// Of the tries of another process it is known only that they are judged; so often it is asked whether they still are.
const ASK_MILLISECONDS = 100

/** The waiting of one try, over all subjects that it waits for. */
export interface Patience {
  /**
   * Waits until a try of a subject has ended, or one of another process may have.
   *
   * @param subject What the limit protects.
   * @throws {ServiceUnavailableException} If too many wait, or this one has waited for too long.
   */
  wait(subject: string): Promise<void>
}

/**
 * Those who wait for tries that are judged at the moment. Such tries count as failures, and most of them may still be
 * right: whoever is kept out by them alone waits until one has ended, instead of being refused.
 */
export class TriesInFlight {
  readonly #waiting = new Map<string, Set<() => void>>()

  /**
   * @param subjects Of a try whose judgement has ended.
   */
  end(subjects: readonly { readonly subject: string }[]): void {
    for (const { subject } of subjects) for (const wake of this.#waiting.get(subject) ?? []) wake()
  }

  /**
   * @returns The waiting of one try.
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
