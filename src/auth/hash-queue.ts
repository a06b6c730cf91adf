import { availableParallelism } from 'node:os'
import { assertMilliseconds, declarationError, shown } from '../core/internal.ts'
import { ServiceUnavailableException } from '../http/index.ts'

/** Limits of a {@link HashQueue}. */
export interface HashLimits {
  /**
   * Hashes computed at once. Default: as many as leave two threads of the pool and one core free, at least one: two with
   * the pool that Node has when nothing is said, one on a machine of two cores.
   */
  readonly inFlight?: number
  /** Callers that may wait. Default: 64. */
  readonly waiting?: number
  /** How long one waits, in milliseconds, at most 2,147,483,647. Default: 2000. */
  readonly waitMilliseconds?: number
}

/**
 * Bounds the password hashes that are computed at once, so that a flood of logins stalls neither files nor names:
 * they share the thread pool.
 */
export class HashQueue {
  readonly #inFlight: number
  readonly #waiting: number
  readonly #waitMilliseconds: number
  readonly #queue = new Set<() => void>()
  #running = 0

  /**
   * @param limits Limits; see each one's default.
   * @throws {TypeError} If the limits are no object.
   * @throws {RangeError} If a limit is no positive whole number, or the wait is longer than a timer can.
   */
  constructor(limits: HashLimits = {}) {
    const { inFlight = defaultInFlight(), waiting = 64, waitMilliseconds = 2000 } = limits
    if (!Number.isInteger(inFlight) || inFlight < 1)
      throw declarationError(
        `Cannot use ${shown(inFlight)} as inFlight: give a whole number of hashes, at least 1`,
        RangeError,
      )
    if (!Number.isInteger(waiting) || waiting < 0)
      throw declarationError(
        `Cannot use ${shown(waiting)} as waiting: give a whole number of callers, at least 0`,
        RangeError,
      )
    assertMilliseconds(waitMilliseconds, 'waitMilliseconds')
    this.#inFlight = inFlight
    this.#waiting = waiting
    this.#waitMilliseconds = waitMilliseconds
  }

  /**
   * @param work Computes one hash.
   * @returns What the work gives.
   * @throws {ServiceUnavailableException} If the queue is full or the wait is over.
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

  // The place goes from hand to hand, so a newcomer cannot overtake those who wait.
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
  // With a hash on every core all other requests wait for their turn of a core, and no more logins go through.
  return Math.max(1, Math.min(availableParallelism() - 1, threads - 2))
}

function busy(): ServiceUnavailableException {
  return new ServiceUnavailableException('Too many logins at the moment', {
    retryAfterSeconds: 2,
    code: 'ERR_AUTH_BUSY',
  })
}
