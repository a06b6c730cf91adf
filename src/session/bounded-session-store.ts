import { checkedFlag, checkedRecord, checkedSessions } from './session-answer.ts'
import { SessionStoreException } from './session-store-exception.ts'
import {
  type Lifetime,
  type OwnedSession,
  type SessionChanges,
  type SessionData,
  type SessionRecord,
  type SessionStart,
  SessionStore,
  type SessionUpdate,
} from './session-store.ts'

// A pending call; calls are kept in the order in which they began.
interface Waiting {
  /** When it times out, by `performance.now()`. */
  readonly until: number
  /** Rejects it. */
  readonly giveUp: (error: Error) => void
  older: Waiting | null
  newer: Waiting | null
  isOver: boolean
}

/**
 * Wraps the store of the application. Each call has a time limit, because a call that never answers would block its request
 * forever; later results are ignored. Each result is checked, because trusting one that violates the interface could
 * confirm a login or a logout that never happened. The results of `create()` and `destroy()` are ignored.
 *
 * All calls have the same limit, so they time out in the order in which they began: one timer watches the oldest.
 */
export class BoundedSessionStore extends SessionStore {
  readonly #store: SessionStore
  readonly #milliseconds: number
  #oldest: Waiting | null = null
  #newest: Waiting | null = null
  #timer: NodeJS.Timeout | null = null

  /**
   * @param store The store.
   * @param milliseconds Time limit of one call.
   */
  constructor(store: SessionStore, milliseconds: number) {
    super()
    this.#store = store
    this.#milliseconds = milliseconds
  }

  override read(id: string): Promise<SessionRecord | null> {
    return this.#bound(async () => checkedRecord(await this.#store.read(id)))
  }

  override create(id: string, data: SessionData, start: SessionStart): Promise<void> {
    return this.#bound(async () => {
      await this.#store.create(id, data, start)
    })
  }

  override update(id: string, changes: SessionUpdate, lifetime: Lifetime): Promise<boolean> {
    return this.#bound(async () => checkedFlag('update', await this.#store.update(id, changes, lifetime)))
  }

  override rotate(from: string, to: string, changes: SessionChanges, lifetime: Lifetime): Promise<boolean> {
    return this.#bound(async () =>
      checkedFlag('rotate', await this.#store.rotate(from, to, changes, lifetime)),
    )
  }

  override destroy(id: string): Promise<void> {
    return this.#bound(async () => {
      await this.#store.destroy(id)
    })
  }

  override sessionsOf(owner: string): Promise<readonly OwnedSession[]> {
    const store = this.#store
    return this.#bound(async () => {
      if (typeof store.sessionsOf === 'function') return checkedSessions(await store.sessionsOf(owner))
      throw new SessionStoreException('ERR_SESSION_STORE_UNSUPPORTED', nameOf(store))
    })
  }

  #bound<T>(call: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiting = this.#begin(reject)
      // An async call also handles a store that throws synchronously or returns no promise.
      call().then(
        (value) => {
          this.#end(waiting)
          resolve(value)
        },
        (error: unknown) => {
          this.#end(waiting)
          reject(error instanceof Error ? error : new Error('The session store rejected', { cause: error }))
        },
      )
    })
  }

  #begin(giveUp: (error: Error) => void): Waiting {
    const until = performance.now() + this.#milliseconds
    const waiting: Waiting = { until, giveUp, older: this.#newest, newer: null, isOver: false }
    if (this.#newest === null) this.#oldest = waiting
    else this.#newest.newer = waiting
    this.#newest = waiting
    if (this.#timer === null) this.#timer = setTimeout(() => this.#look(), this.#milliseconds)
    else if (waiting.older === null) this.#timer.ref()
    return waiting
  }

  #end(waiting: Waiting): void {
    if (waiting.isOver) return
    waiting.isOver = true
    const { older, newer } = waiting
    if (older === null) this.#oldest = newer
    else older.newer = newer
    if (newer === null) this.#newest = older
    else newer.older = older
    // Without pending calls the timer must not keep the process alive.
    if (this.#oldest === null) this.#timer?.unref()
  }

  // If this process was busy for that long, the answer may already be in a socket: the second look comes after reading it.
  #look(): void {
    this.#timer = null
    const isLate = this.#oldest !== null && this.#oldest.until <= performance.now()
    if (isLate) setImmediate(() => this.#expire())
    else this.#rearm()
  }

  #expire(): void {
    const now = performance.now()
    while (this.#oldest !== null && this.#oldest.until <= now) {
      const late = this.#oldest
      this.#end(late)
      late.giveUp(new SessionStoreException('ERR_SESSION_STORE_TIMEOUT', 'The session store'))
    }
    if (this.#timer === null) this.#rearm()
  }

  #rearm(): void {
    if (this.#oldest === null) return
    const left = Math.max(1, Math.ceil(this.#oldest.until - performance.now()))
    this.#timer = setTimeout(() => this.#look(), left)
  }
}

function nameOf(store: SessionStore): string {
  const { constructor } = store
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'The session store'
}
