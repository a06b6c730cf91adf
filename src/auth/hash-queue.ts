import { availableParallelism } from 'node:os'
import { assertMilliseconds, declarationError, sentence, shown } from '../core/internal.ts'
import { ServiceUnavailableException } from '../http/index.ts'

/** Limits of a {@link HashQueue}. */
export interface HashLimits {
  /**
   * Maximum number of concurrent hashes. Default: two threads of the pool and one core stay free, but at least 1. This is 2
   * with Node's default pool, and 1 on a machine with two cores.
   */
  readonly inFlight?: number
  /**
   * Maximum number of waiting callers. When it is reached, the client with the most of them loses its last one to a client
   * that has fewer. Default: 64.
   */
  readonly waiting?: number
  /** Maximum wait in milliseconds, at most 2,147,483,647. Default: 2000. */
  readonly waitMilliseconds?: number
}

/** A caller that waits for its turn. */
interface Waiter {
  readonly client: string
  /** Ends the wait, with the error if there is no turn for it. */
  readonly end: (error?: Error) => void
}

/**
 * Limits concurrent password hashes. They share the thread pool with file access and DNS lookups, which a flood of logins
 * would otherwise stall. Clients take turns, however many callers of one of them wait.
 */
export class HashQueue {
  readonly #inFlight: number
  readonly #waiting: number
  readonly #waitMilliseconds: number
  // The next client comes first.
  readonly #clients = new Map<string, Set<Waiter>>()
  #count = 0
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
        sentence`Cannot use ${shown(inFlight)} as inFlight: it must be a whole number of hashes, at least 1`,
        RangeError,
      )
    if (!Number.isInteger(waiting) || waiting < 0)
      throw declarationError(
        sentence`Cannot use ${shown(waiting)} as waiting: it must be a whole number of callers, at least 0`,
        RangeError,
      )
    assertMilliseconds(waitMilliseconds, 'waitMilliseconds')
    this.#inFlight = inFlight
    this.#waiting = waiting
    this.#waitMilliseconds = waitMilliseconds
  }

  /**
   * @param work Computes one hash.
   * @param client Who asks for it. Default: all callers that do not say are one client.
   * @returns The result of the work.
   * @throws {ServiceUnavailableException} If the wait is too long, or the queue is full and no other client has more in it.
   */
  async run<T>(work: () => Promise<T>, client = ''): Promise<T> {
    if (this.#running < this.#inFlight) this.#running++
    else await this.#turn(client)
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  /**
   * @returns How many pieces of work run, and how many callers wait.
   */
  load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#count }
  }

  #turn(client: string): Promise<void> {
    if (this.#count >= this.#waiting) this.#makeRoomFor(client)
    return new Promise((resolve, reject) => {
      const end = (error?: Error): void => {
        clearTimeout(timer)
        this.#remove(waiter)
        if (error === undefined) resolve()
        else reject(error)
      }
      const waiter: Waiter = { client, end }
      const timer = setTimeout(() => end(busy()), this.#waitMilliseconds)
      this.#waitersOf(client).add(waiter)
      this.#count++
    })
  }

  // The client with the most callers loses its last one, so that nobody is locked out by a client that fills the queue.
  #makeRoomFor(client: string): void {
    let most: ReadonlySet<Waiter> = new Set()
    for (const waiters of this.#clients.values()) if (waiters.size > most.size) most = waiters
    const own = this.#clients.get(client)?.size ?? 0
    if (most.size <= own + 1) throw busy()
    Array.from(most).at(-1)?.end(busy())
  }

  // The slot is handed to the next caller directly, so that a newcomer cannot overtake those that wait.
  #release(): void {
    const [first] = this.#clients
    if (first === undefined) {
      this.#running--
      return
    }
    const [client, waiters] = first
    const [next] = waiters
    // Its further callers come after one of each other client.
    this.#clients.delete(client)
    this.#clients.set(client, waiters)
    next?.end()
  }

  #waitersOf(client: string): Set<Waiter> {
    const waiters = this.#clients.get(client) ?? new Set()
    this.#clients.set(client, waiters)
    return waiters
  }

  #remove(waiter: Waiter): void {
    const waiters = this.#clients.get(waiter.client)
    waiters?.delete(waiter)
    this.#count--
    if (waiters?.size === 0) this.#clients.delete(waiter.client)
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
