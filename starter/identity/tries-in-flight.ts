import { ServiceUnavailableException } from 'sallyport/http'

const WAIT_MILLISECONDS = 2000
const MAX_WAITING = 64

/** What tries of one subject are judged in this process, and who waits for one of them to end. */
interface Judged {
  count: number
  readonly waiting: Set<() => void>
}

/** The waiting of one try, over all subjects that it waits for. */
export interface Patience {
  /**
   * @param subject What the limit protects.
   * @returns True when a try of that subject has ended meanwhile; false at once when none is judged.
   * @throws {ServiceUnavailableException} If too many wait, or this one has waited for too long.
   */
  wait(subject: string): Promise<boolean>
}

/**
 * The tries that this process judges at the moment. They count as failures, and most of them may still be right: whoever
 * is kept out by them alone waits until one has ended, instead of being refused.
 */
export class TriesInFlight {
  readonly #judged = new Map<string, Judged>()

  /**
   * @param subjects Of a try whose judgement begins.
   */
  begin(subjects: readonly { readonly subject: string }[]): void {
    for (const { subject } of subjects) {
      const judged = this.#judged.get(subject) ?? { count: 0, waiting: new Set() }
      judged.count++
      this.#judged.set(subject, judged)
    }
  }

  /**
   * @param subjects Of a try whose judgement has ended.
   */
  end(subjects: readonly { readonly subject: string }[]): void {
    for (const { subject } of subjects) {
      const judged = this.#judged.get(subject)
      if (judged === undefined) continue
      judged.count--
      if (judged.count === 0) this.#judged.delete(subject)
      for (const wake of judged.waiting) wake()
    }
  }

  /**
   * @returns The waiting of one try.
   */
  patience(): Patience {
    const end = performance.now() + WAIT_MILLISECONDS
    return { wait: (subject) => this.#wait(subject, end - performance.now()) }
  }

  async #wait(subject: string, milliseconds: number): Promise<boolean> {
    const judged = this.#judged.get(subject)
    if (judged === undefined) return false
    if (judged.waiting.size >= MAX_WAITING || milliseconds <= 0) throw busy()
    const { promise, resolve, reject } = Promise.withResolvers<true>()
    const wake = (): void => resolve(true)
    const timer = setTimeout(() => reject(busy()), milliseconds)
    judged.waiting.add(wake)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      judged.waiting.delete(wake)
    }
  }
}

function busy(): ServiceUnavailableException {
  return new ServiceUnavailableException('Too many logins at the moment', { retryAfterSeconds: 2 })
}
