import { availableParallelism } from 'node:os'
import { assertMilliseconds, declarationError, shown } from '../core/internal.ts'
import { ServiceUnavailableException } from '../http/index.ts'

/** Limits of a {@link HashQueue}. */
export interface HashLimits {
  /**
   * Maximum number of concurrent hashes. Default: two threads of the pool and one core stay free, but at least 1. This is 2
   * with Node's default pool, and 1 on a machine with two cores.
   */
  readonly inFlight?: number
  /** Maximum number of waiting callers. Default: 64. */
  readonly waiting?: number
  /** Maximum wait in milliseconds, at most 2,147,483,647. Default: 2000. */
  readonly waitMilliseconds?: number
}

/**
 * Limits concurrent password hashes. They share the thread pool with file access and DNS lookups, which a flood of logins
 * would otherwise stall.
 */
export class HashQueue {
  readonly #inFlight: number
  readonly #waiting: number
  readonly #waitMilliseconds: number
  readonly #queue = new Set<() => void>()
  #running = 0

  /**
   * @param limits Limits; the defaults are those of each option.
   * @throws {TypeError} If the argument is not an object.
   * @throws {RangeError} If a limit is not a positive integer (`waiting`: 0 or more), or the wait is longer than a timer allows.
   */
  constructor(limits: HashLimits = {}) {
    const { inFlight = defaultInFlight(), waiting = 64, waitMilliseconds = 2000 } = limits
    if (!Number.isInteger(inFlight) || inFlight < 1)
      throw declarationError(
        `Cannot use ${shown(inFlight)} as inFlight: it must be a whole number of hashes, at least 1`,
        RangeError,
      )
    if (!Number.isInteger(waiting) || waiting < 0)
      throw declarationError(
        `Cannot use ${shown(waiting)} as waiting: it must be a whole number of callers, at least 0`,
        RangeError,
      )
    assertMilliseconds(waitMilliseconds, 'waitMilliseconds')
    this.#inFlight = inFlight
    this.#waiting = waiting
    this.#waitMilliseconds = waitMilliseconds
  }

  /**
   * @param work Computes one hash.
   * @returns The result of the work.
   * @throws {ServiceUnavailableException} If the queue is full or the wait is too long.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#inFlight) this.#running++
    else await this.#turn()
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  #turn(): Promise<void> {
    if (this.#queue.size >= this.#waiting) throw busy()
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#queue.delete(start)
        reject(busy())
      }, this.#waitMilliseconds)
      this.#queue.add(start)
    })
  }

  // The slot is handed to the next caller directly, so that a newcomer cannot overtake those that wait.
  #release(): void {
    const next = this.#queue.values().next().value
    if (next === undefined) {
      this.#running--
      return
    }
    this.#queue.delete(next)
    next()
  }
}

function defaultInFlight(): number {
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) || 4
  // With a hash on every core, all other requests would wait for a core, and no more logins would succeed.
  return Math.max(1, Math.min(availableParallelism() - 1, threads - 2))
}

function busy(): ServiceUnavailableException {
  return new ServiceUnavailableException('Too many logins at the moment', {
    retryAfterSeconds: 2,
    code: 'ERR_AUTH_BUSY',
  })
}
