import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import {
  assertBoolean,
  assertClock,
  assertMilliseconds,
  assertOptions,
  declarationError,
  readClock,
  shown,
} from '../core/internal.ts'
import { type Clock, SystemClock } from '../core/index.ts'
import { digestIn, successorOf } from './session-identifier.ts'
import { ownedSession, parseStored, SessionStoreException } from './session-store-exception.ts'
import {
  type Lifetime,
  MAX_SKEW_MILLISECONDS,
  type OwnedSession,
  type SessionChanges,
  type SessionData,
  type SessionRecord,
  type SessionStart,
  SessionStore,
  type SessionUpdate,
  TOMBSTONE_MILLISECONDS,
} from './session-store.ts'
import { SharedTransaction } from './shared-transaction.ts'
import { isBusy, openDatabase } from './sqlite-database.ts'
import { areExpected, storedEntries } from './stored-entries.ts'

/** Options of a {@link SqliteSessionStore}. */
export interface SqliteSessionStoreOptions {
  /** File of the database, created when missing; `:memory:` for none. */
  readonly path: string
  /** Clock for expiry. Default: the machine's clock. */
  readonly clock?: Clock
  /** Whether a committed write survives a power failure as well as the end of the process. Default: true. */
  readonly durable?: boolean
  /** How long an operation waits while another process writes, in milliseconds. Default: 700. */
  readonly timeoutMilliseconds?: number
}

const MAX_PAUSE_MILLISECONDS = 25
// Expired rows are deleted with the first write after this interval, or after the clock was set back; after the shorter
// interval when some were left over. So are rows dated in the future, those that expire last first.
const SWEEP_MILLISECONDS = 60_000
const NEXT_SWEEP_MILLISECONDS = 1000
const SWEPT_AT_ONCE = 1000

interface Row {
  readonly data: string
  readonly ended: number
  readonly created_at: number
  readonly expires_at: number
  readonly owner: string | null
}

/**
 * Sessions in an embedded SQLite database (write-ahead log). Several processes on one machine may share the file. Writes
 * that arrive together share one short transaction, and each of them is done or not done.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App } from 'sallyport'
 * import { SessionStore } from 'sallyport/session'
 * import { SqliteSessionStore } from 'sallyport/session/sqlite'
 *
 * const store = new SqliteSessionStore({ path: ':memory:' }) // Such as 'data/sessions.db'.
 * const app = await App.default()
 *   .configure((definitions) => definitions.set(SessionStore, store))
 *   .onClose(() => store.close())
 *   .boot()
 *
 * assert.equal(app.get(SessionStore), store)
 * await app.close()
 * ```
 */
export class SqliteSessionStore extends SessionStore {
  readonly #database: DatabaseSync
  readonly #clock: Clock
  readonly #select: StatementSync
  readonly #selectOwned: StatementSync
  readonly #upsert: StatementSync
  readonly #expire: StatementSync
  readonly #expireFuture: StatementSync
  readonly #timeoutMilliseconds: number
  readonly #writes = new SharedTransaction((work) => this.#whenFree(() => this.#inTransaction(work)))
  #lastSweep = 0
  #nextSweep = 0

  /**
   * Opens the database and creates its table when missing.
   *
   * @param options File, clock, durability and time limit.
   * @throws {Error} If the file cannot be opened, its folder is missing, or it is not a database. The message names the file,
   * and the cause is the error of SQLite.
   * @throws {TypeError} If the path is missing, the clock is invalid, `durable` is neither true nor false, or an option is unknown.
   * @throws {RangeError} If the time limit is not above 0, or is longer than a timer can wait.
   */
  constructor(options: SqliteSessionStoreOptions) {
    super()
    assertOptions(options, ['path', 'clock', 'durable', 'timeoutMilliseconds'], 'a SqliteSessionStore')
    const { path, clock = new SystemClock(), durable = true, timeoutMilliseconds = 700 } = options
    if (typeof path !== 'string' || path === '')
      throw declarationError(`Cannot keep sessions in the file ${shown(path)}: pass its path`)
    assertMilliseconds(timeoutMilliseconds, 'timeoutMilliseconds')
    assertClock(clock)
    assertBoolean(durable, 'durable')
    this.#timeoutMilliseconds = timeoutMilliseconds
    this.#clock = clock
    this.#database = openDatabase(path, durable)
    this.#select = this.#database.prepare(
      'SELECT data, ended, created_at, expires_at, owner FROM sallyport_session WHERE id = ?',
    )
    this.#selectOwned = this.#database.prepare(
      `SELECT id, data, ended, created_at, expires_at, owner FROM sallyport_session
       WHERE owner = ? AND ended = 0 AND expires_at > ?`,
    )
    this.#upsert = this.#database.prepare(
      `INSERT INTO sallyport_session (id, data, ended, created_at, expires_at, owner) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET data = excluded.data, ended = excluded.ended,
         created_at = excluded.created_at, expires_at = excluded.expires_at, owner = excluded.owner`,
    )
    this.#expire = this.#database.prepare(
      `DELETE FROM sallyport_session WHERE id IN
         (SELECT id FROM sallyport_session WHERE expires_at <= ? ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE})`,
    )
    this.#expireFuture = this.#database.prepare(
      `DELETE FROM sallyport_session WHERE created_at > ? AND id IN
         (SELECT id FROM sallyport_session ORDER BY expires_at DESC LIMIT ${SWEPT_AT_ONCE})`,
    )
  }

  override async read(id: string): Promise<SessionRecord | null> {
    return this.#whenFree(() => this.#find(id) ?? null)
  }

  override async create(id: string, data: SessionData, start: SessionStart): Promise<void> {
    await this.#writes.add(() => this.#write(id, data, start))
  }

  override async update(id: string, changes: SessionUpdate, lifetime: Lifetime): Promise<boolean> {
    return this.#writes.add(() => this.#apply({ from: id, to: id, changes, lifetime }))
  }

  override async rotate(
    from: string,
    to: string,
    changes: SessionChanges,
    lifetime: Lifetime,
  ): Promise<boolean> {
    return this.#writes.add(() => {
      if (!this.#apply({ from, to, changes, lifetime })) return false
      this.#bury(from, to)
      return true
    })
  }

  override async destroy(id: string): Promise<void> {
    await this.#writes.add(() => {
      const row = this.#present(id)
      // A malformed record ends too: another version may understand it.
      if (row !== undefined && row.ended !== 1) this.#bury(id, null)
    })
  }

  override async sessionsOf(owner: string): Promise<readonly OwnedSession[]> {
    const rows = await this.#whenFree(() => this.#selectOwned.all(owner, this.#now()))
    return (rows as unknown as (Row & { readonly id: string })[]).map((row) =>
      ownedSession('SQLite', recordOf, row),
    )
  }

  /** Closes the database after the writes that wait; the store cannot be used afterwards. */
  close(): void {
    this.#writes.begin()
    this.#database.close()
  }

  #find(id: string): SessionRecord | undefined {
    const row = this.#present(id)
    if (row === undefined) return undefined
    const record = parseStored('SQLite', recordOf, row)
    return { ...record, successor: successorOf(id, record.successor) }
  }

  #present(id: string): Row | undefined {
    const row = this.#select.get(digestIn(id)) as unknown as Row | undefined
    return row === undefined || row.expires_at <= this.#now() ? undefined : row
  }

  #apply(move: { from: string; to: string; changes: SessionUpdate; lifetime: Lifetime }): boolean {
    const record = this.#find(move.from)
    if (record === undefined || record.ended || !areExpected(record.data, move.changes.expected)) return false
    const data = new Map(record.data)
    for (const key of move.changes.removed) data.delete(key)
    for (const [key, text] of move.changes.set) data.set(key, text)
    const { owner = record.owner ?? null } = move.changes
    this.#write(move.to, data, { ...move.lifetime, owner })
    return true
  }

  #bury(id: string, successor: string | null): void {
    const now = this.#now()
    const digest = successor === null ? null : digestIn(successor)
    this.#upsert.run(digestIn(id), JSON.stringify(digest), 1, now, now + TOMBSTONE_MILLISECONDS, null)
  }

  #write(id: string, entries: SessionData, { createdAt, expiresAt, owner = null }: SessionStart): void {
    // Built as a string: an object literal would take the key "__proto__" for its prototype.
    const texts = [...entries].map(([key, text]) => `${JSON.stringify(key)}:${JSON.stringify(text)}`)
    const data = `{${texts.join(',')}}`
    this.#upsert.run(digestIn(id), data, 0, Math.floor(createdAt), Math.floor(expiresAt), owner)
  }

  // The first attempt is immediate; while later ones wait, the event loop serves other requests.
  #whenFree<T>(attempt: () => T): Promise<T> {
    return this.#retry(attempt, performance.now() + this.#timeoutMilliseconds, 1)
  }

  async #retry<T>(attempt: () => T, end: number, waitMilliseconds: number): Promise<T> {
    try {
      return attempt()
    } catch (cause) {
      if (!isBusy(cause)) throw cause
      if (performance.now() + waitMilliseconds > end)
        throw new SessionStoreException('ERR_SESSION_STORE_TIMEOUT', 'SQLite', { cause })
    }
    await pause(waitMilliseconds)
    return this.#retry(attempt, end, Math.min(2 * waitMilliseconds, MAX_PAUSE_MILLISECONDS))
  }

  #inTransaction<T>(work: () => T): T {
    const now = this.#now()
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      const swept = this.#isSweepDue(now) ? this.#sweep(now) : null
      this.#database.exec('COMMIT')
      if (swept !== null) this.#planSweep(now, swept)
      return result
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  #isSweepDue(now: number): boolean {
    return now >= this.#nextSweep || now < this.#lastSweep
  }

  // Upper bound of the rows of one kind that were deleted.
  #sweep(now: number): number {
    const expired = Number(this.#expire.run(now).changes)
    return Math.max(expired, Number(this.#expireFuture.run(now + MAX_SKEW_MILLISECONDS).changes))
  }

  #planSweep(now: number, swept: number): void {
    this.#lastSweep = now
    this.#nextSweep = now + (swept < SWEPT_AT_ONCE ? SWEEP_MILLISECONDS : NEXT_SWEEP_MILLISECONDS)
  }

  // Columns hold integer milliseconds.
  #now(): number {
    return Math.floor(readClock(this.#clock))
  }
}

function recordOf(row: Row): SessionRecord {
  const times = { createdAt: row.created_at, expiresAt: row.expires_at }
  const stored: unknown = JSON.parse(row.data)
  if (stored === null || typeof stored === 'string') {
    return { data: new Map(), ended: true, successor: stored, owner: null, ...times }
  }
  return { data: new Map(storedEntries(stored)), ended: false, successor: null, owner: row.owner, ...times }
}
