import { publish } from '../core/internal.ts'
import { ServiceUnavailableException } from '../http/index.ts'
import { accountOf, handleFor } from './account-entry.ts'
import { readSession, type SessionReading, type SessionState } from './read-session.ts'
import type { SessionRecord } from './session-store.ts'
import type { SessionServices, SessionWork } from './session-writer.ts'

// How often another request of the browser may have rotated the session while a body was arriving.
const MAX_HOPS = 100

/** What is known of the body of a request. */
export interface Arrival {
  /** Whether all of it has arrived. */
  readonly hasWholeBody: boolean
}

/** What the store has for the identifier of a request: read on first use, once, and judged by the clock of that moment. */
export class StoredSession {
  readonly #services: SessionServices
  readonly #id: string
  readonly #arrival: Arrival | null
  #reading: Promise<void> | null = null
  // Whether it was read before the body of the request had arrived.
  #isEarly = false
  #confirming: Promise<boolean> | null = null
  #ahead: Promise<void> | null = null
  /** What became of the identifier; `unread` until the store has answered. */
  state: 'unread' | SessionState
  /** The record of a live session. */
  record: SessionRecord | null = null
  /** What the store has in the place of a record. */
  behind: SessionWork['behind'] = 'nothing'
  /** Digest of the identifier that took the place of an ended one; null if none did. */
  successor: string | null = null
  /** When it was read. */
  readAt = 0
  /** Whether the store failed. */
  hasFailed = false
  /**
   * @param services Store and clock.
   * @param id Identifier as the store knows it.
   * @param options Whether there `isSent` anything to read: a cookie was sent, or no store is there and each use must fail; and the
   * `arrival` of the body. Default of the latter: there is none.
   */
  constructor(
    services: SessionServices,
    id: string,
    { isSent, arrival }: { readonly isSent: boolean; readonly arrival: Arrival | null },
  ) {
    this.#services = services
    this.#id = id
    this.#arrival = arrival
    this.state = isSent ? 'unread' : 'none'
  }

  /** The read that was begun, also when it has ended; null if nobody has asked. */
  get reading(): Promise<void> | null {
    return this.#reading
  }

  /**
   * Reads it, once.
   *
   * @returns The same promise for all callers.
   * @throws {ServiceUnavailableException} Rejects if the store fails.
   */
  read(): Promise<void> {
    this.#reading ??= readSession(this.#services, this.#id).then(
      (reading) => {
        this.#take(reading)
        this.#isEarly = reading.state === 'live' && this.#arrival?.hasWholeBody === false
      },
      (error: unknown) => {
        this.hasFailed = true
        throw error
      },
    )
    return this.#reading
  }

  /**
   * Reads the session of somebody who is signed in before the body has arrived, although nobody has asked for it yet: if the session is
   * rotated meanwhile, the request still has it. Every other session is read when it is asked for. Never rejects: a store that fails is
   * asked again then.
   */
  readAhead(): Promise<void> {
    this.#ahead ??= this.#readAhead()
    return this.#ahead
  }

  async #readAhead(): Promise<void> {
    if (this.state !== 'unread' || this.#reading !== null || this.#id === '') return
    const reading = await readSession(this.#services, this.#id).catch(() => null)
    // Asked for in the meantime.
    if (this.#reading !== null || reading === null || reading.record === null) return
    if (accountOf(reading.record.data) === null) return
    this.#take(reading)
    this.#isEarly = true
    this.#reading = Promise.resolve()
  }

  #take({ state, behind, record, readAt, successor }: SessionReading): void {
    this.state = state
    this.behind = behind
    this.record = record
    this.successor = successor
    this.readAt = readAt
  }

  /**
   * Writes an entry at once, instead of with the response, unless another request has changed the session since it was read.
   *
   * @param key The key.
   * @param text Its value as JSON.
   * @returns Whether it was written; false also if there is no session.
   * @throws {ServiceUnavailableException} If the store fails.
   */
  async setUnlessChanged(key: string, text: string): Promise<boolean> {
    const { record } = this
    if (record === null) return false
    const { data: expected, createdAt, expiresAt } = record
    const changes = { set: new Map([[key, text]]), removed: new Set<string>(), expected }
    try {
      return await this.#services.store.update(this.#id, changes, { createdAt, expiresAt })
    } catch (cause) {
      publish('store-failed', { operation: 'commit', cause })
      throw new ServiceUnavailableException('Sessions cannot be written at the moment', { cause })
    }
  }

  /**
   * Asks again whether the identity that was read still stands, if it was read before the body of the request had arrived: a client may
   * hold back the end of a body until its session has been ended. A session that was rotated stands. Of one that does not, nothing is
   * left to the request.
   *
   * @returns Whether it stands, true also if nobody was signed in; a promise if the store must be asked.
   * @throws {ServiceUnavailableException} Rejects if the store fails.
   */
  confirm(): boolean | Promise<boolean> {
    if (this.#isEarly) this.#confirming ??= this.#confirm()
    return this.#confirming ?? true
  }

  async #confirm(): Promise<boolean> {
    const { record } = this
    const identifier = record === null ? null : accountOf(record.data)
    if (record === null || identifier === null) return true
    if (await this.#isHeld(identifier, handleFor(identifier, this.#id, record.data))) return true
    this.state = 'ended'
    this.behind = 'ended'
    this.record = null
    return false
  }

  async #isHeld(identifier: string, handle: string | null): Promise<boolean> {
    let id = this.#id
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      const { record, successor } = await readSession(this.#services, id)
      if (record !== null) return handleFor(identifier, id, record.data) === handle
      if (successor === null) return false
      id = successor
    }
    return false
  }
}
