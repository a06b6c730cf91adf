import { readSession, type SessionState } from './read-session.ts'
import type { SessionRecord } from './session-store.ts'
import type { SessionServices, SessionWork } from './session-writer.ts'

/** What the store has for the identifier of a request: read on first use, once, and judged by the clock of that moment. */
export class StoredSession {
  readonly #services: SessionServices
  readonly #id: string
  #reading: Promise<void> | null = null
  /** What became of the identifier; `unread` until the store has answered. */
  state: 'unread' | SessionState
  /** The record of a live session. */
  record: SessionRecord | null = null
  /** What the store has in the place of a record. */
  behind: SessionWork['behind'] = 'nothing'
  /** When it was read. */
  readAt = 0
  /** Whether the store failed. */
  hasFailed = false

  /**
   * @param services Store and clock.
   * @param id Identifier as the store knows it.
   * @param isSent Whether there is anything to read: a cookie was sent, or no store is there and each use must fail.
   */
  constructor(services: SessionServices, id: string, isSent: boolean) {
    this.#services = services
    this.#id = id
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
      ({ state, behind, record, readAt }) => {
        this.state = state
        this.behind = behind
        this.record = record
        this.readAt = readAt
      },
      (error: unknown) => {
        this.hasFailed = true
        throw error
      },
    )
    return this.#reading
  }
}
