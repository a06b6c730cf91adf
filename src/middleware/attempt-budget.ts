const MINUTE = 60_000
const MAX_CLIENTS = 1000

/** How many attempts a minute may cost something. */
export interface AttemptLimits {
  /** Of one client. */
  readonly perClient: number
  /** Of all clients together. */
  readonly inAll: number
}

interface Bucket {
  left: number
  since: number
}

/**
 * Limits attempts that cost processor time, by client and in all. Each bucket refills steadily, so that a client that stops is
 * admitted again. It remembers a bounded number of clients.
 */
export class AttemptBudget {
  readonly #limits: AttemptLimits
  readonly #now: () => number
  readonly #all: Bucket
  #hasWarned = false
  // The one that was used last stands last.
  readonly #clients = new Map<string, Bucket>()

  /**
   * @param limits How many attempts a minute are admitted.
   * @param now Milliseconds of a clock that never steps. Default: that of the platform.
   */
  constructor(limits: AttemptLimits, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#now = now
    this.#all = { left: limits.inAll, since: now() }
  }

  /**
   * Takes one attempt.
   *
   * @param client Address of the client; empty when it is unknown: all clients then have one limit, and a warning of the
   * process says so once.
   * @returns Seconds until the next attempt is admitted; 0 when this one is.
   */
  take(client: string): number {
    const { perClient, inAll } = this.#limits
    if (client === '') this.#warn()
    const own = client === '' ? null : this.#bucketOf(client)
    const ownWait = own === null ? 0 : this.#waitOf(own, perClient)
    // Not taken from all when the client is refused: it must not use up what belongs to others.
    if (ownWait > 0) return ownWait
    const wait = this.#waitOf(this.#all, inAll)
    if (wait > 0) return wait
    if (own !== null) own.left--
    this.#all.left--
    return 0
  }

  /**
   * Gives an attempt back: it was a right one.
   *
   * @param client Address of the client.
   */
  giveBack(client: string): void {
    const { perClient, inAll } = this.#limits
    const own = this.#clients.get(client)
    if (own !== undefined) own.left = Math.min(perClient, own.left + 1)
    this.#all.left = Math.min(inAll, this.#all.left + 1)
  }

  #warn(): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    process.emitWarning(
      'Cannot limit attempts by client, because the host tells no address: pass clientAddress to app.fetch()',
      { code: 'SALLYPORT_NO_CLIENT_ADDRESS' },
    )
  }

  #bucketOf(client: string): Bucket {
    const bucket = this.#clients.get(client) ?? { left: this.#limits.perClient, since: this.#now() }
    this.#clients.delete(client)
    this.#clients.set(client, bucket)
    const [oldest] = this.#clients.keys()
    if (this.#clients.size > MAX_CLIENTS && oldest !== undefined) this.#clients.delete(oldest)
    return bucket
  }

  // Refills, and says how many seconds are missing to one attempt.
  #waitOf(bucket: Bucket, limit: number): number {
    const now = this.#now()
    bucket.left = Math.min(limit, bucket.left + ((now - bucket.since) * limit) / MINUTE)
    bucket.since = now
    return bucket.left >= 1 ? 0 : ((1 - bucket.left) * 60) / limit
  }
}
