import { Pool } from 'pg'
import {
  assertBoolean,
  assertClock,
  assertMilliseconds,
  assertOptions,
  declarationError,
  shown,
  readClock,
} from '../core/internal.ts'
import { type Clock, SystemClock } from '../core/index.ts'
import { LATEST_START, within } from './deadline.ts'
import {
  DEFAULT_TABLE,
  postgresMigrated,
  postgresSessionSchema,
  type PostgresStatement,
  type PostgresStatements,
  postgresStatements,
} from './postgres-statements.ts'
import { digestIn, successorOf } from './session-identifier.ts'
import { dataText, ownerText, type PostgresRow, recordOf, removedKeys, timesOf } from './postgres-record.ts'
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

/** A query that a store sends to a pool. */
export interface PostgresQuery {
  /** The statement. */
  readonly text: string
  /** Its values. */
  readonly values?: unknown[]
  /** Name of the prepared statement. */
  readonly name?: string
  /** How long the driver waits, in milliseconds; then it drops the connection. */
  readonly query_timeout?: number
}

/** What a store needs from a pool of the package `pg`. */
export interface PostgresPool {
  /**
   * @param query A statement.
   * @returns Its rows, and the number of affected rows.
   */
  query(query: PostgresQuery): Promise<{ rows: unknown[]; rowCount: number | null }>
}

/** Options of a {@link PostgresSessionStore}. */
export interface PostgresSessionStoreOptions {
  /** Name of the table; may be `schema.table`. Default: `sallyport_session`. */
  readonly table?: string
  /** How long an operation may take, in milliseconds. Default: 700. */
  readonly timeoutMilliseconds?: number
  /** Whether a connection prepares each statement once; false for a pooler that cannot. Default: true. */
  readonly prepared?: boolean
  /** Clock for expiry. Default: the machine's clock. */
  readonly clock?: Clock
}

/** Address and options of a {@link PostgresSessionStore}. */
export interface PostgresSessionStoreAddress extends PostgresSessionStoreOptions {
  /** `postgres://user:password@host:port/database`; see the package `pg` for TLS. */
  readonly url: string
  /** Maximum number of connections. Default: 10. */
  readonly connections?: number
}

const SWEEP_MILLISECONDS = 60_000
const SWEPT_AT_ONCE = 1000
const DESTROYED_AT_ONCE = 1000
const NAMES: readonly string[] = ['url', 'connections', 'table', 'timeoutMilliseconds', 'prepared', 'clock']
// An arbitrary key: two processes that migrate at the same time wait for each other.
const MIGRATION_LOCK = 7_231_894_410

/**
 * Sessions in PostgreSQL. Each operation is one statement, atomic at the default isolation level, and one round trip.
 * Create the table with `migrate()`, or copy `postgresSessionSchema()` into your own migrations.
 */
export class PostgresSessionStore extends SessionStore {
  readonly #pool: PostgresPool
  readonly #statements: PostgresStatements
  readonly #table: string
  readonly #clock: Clock
  readonly #timeoutMilliseconds: number
  readonly #isPrepared: boolean
  #end: () => Promise<void> = () => Promise.resolve()
  #serverAhead: Promise<number> | null = null
  #lastSweep = 0
  #sweeping: Promise<void> | null = null
  #destroying: { readonly ids: string[]; readonly done: Promise<void> } | null = null

  /**
   * Uses a pool of the application, which the application closes. Set its `connectionTimeoutMillis`.
   *
   * @param pool A pool of the package `pg`.
   * @param options Table, time limit and clock.
   * @throws {TypeError} If the table name has other characters than lower-case letters, digits and `_`, the clock is
   * invalid, `prepared` is neither true nor false, or an option is unknown.
   * @throws {RangeError} If the time limit is not above 0, or is longer than a timer can wait.
   */
  constructor(pool: PostgresPool, options: PostgresSessionStoreOptions = {}) {
    super()
    assertOptions(options, NAMES, 'a PostgresSessionStore')
    if (typeof pool?.query !== 'function')
      throw declarationError(`Cannot keep sessions over ${shown(pool)}: pass a pool of the package "pg"`)
    const { table, clock, prepared, timeoutMilliseconds } = partsOf(options)
    this.#pool = pool
    this.#table = table
    this.#statements = postgresStatements(table)
    this.#clock = clock
    this.#timeoutMilliseconds = timeoutMilliseconds
    this.#isPrepared = prepared
  }

  /**
   * Opens a pool that belongs to the store.
   *
   * @param address Address of the server, and the store's options.
   * @returns The store; close it when the application closes.
   * @throws {Error} If the server cannot be reached or refuses the connection.
   * @throws {TypeError} If the URL is missing, the table name has other characters than lower-case letters, digits and `_`,
   * the clock is invalid, `prepared` is neither true nor false, or an option is unknown.
   * @throws {RangeError} If the time limit is not above 0, or is longer than a timer can wait, or `connections` is not a
   * positive integer.
   */
  static async connect(address: PostgresSessionStoreAddress): Promise<PostgresSessionStore> {
    assertOptions(address, NAMES, 'PostgresSessionStore.connect()')
    if (typeof address.url !== 'string' || address.url === '')
      throw declarationError(`Cannot connect to PostgreSQL at ${shown(address.url)}: pass its URL`)
    const { connections = 10 } = address
    if (!Number.isSafeInteger(connections) || connections < 1)
      throw declarationError(
        `Cannot use ${shown(connections)} as connections: it must be a whole number, at least 1`,
        RangeError,
      )
    // Check the options before contacting a server.
    const { table, timeoutMilliseconds } = partsOf(address)
    postgresStatements(table)
    const pool = new Pool({
      connectionString: address.url,
      max: connections,
      connectionTimeoutMillis: timeoutMilliseconds,
      keepAlive: true,
    })
    // An idle connection was lost and the pool has dropped it; the next operation opens another.
    pool.on('error', () => undefined)
    try {
      const store = new PostgresSessionStore(pool, address)
      store.#end = () => pool.end()
      await store.#offset()
      return store
    } catch (error) {
      await pool.end()
      throw error
    }
  }

  /**
   * Creates the table when missing, and adds to that of an earlier version what it lacks. It is safe to run repeatedly, and in
   * several processes at once. When nothing is missing, it locks nothing.
   *
   * @throws {Error} If the server cannot be reached or the user may not create tables.
   */
  async migrate(): Promise<void> {
    if (await this.#isMigrated()) return
    const text = `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK}); ${postgresSessionSchema(this.#table)}`
    await this.#pool.query({ text })
  }

  override async read(id: string): Promise<SessionRecord | null> {
    const { rows } = await this.#query(this.#statements.read, [digestIn(id), this.#now()])
    const [row] = rows as PostgresRow[]
    if (row === undefined) return null
    const record = parseStored('PostgreSQL', recordOf, row)
    return { ...record, successor: successorOf(id, record.successor) }
  }

  override async create(id: string, data: SessionData, start: SessionStart): Promise<void> {
    const { owner = null } = start
    await this.#query(this.#statements.create, [digestIn(id), dataText(data), ...timesOf(start), owner])
    this.#sweepWhenDue()
  }

  override async update(id: string, changes: SessionUpdate, lifetime: Lifetime): Promise<boolean> {
    const { touch, update, updateExpected } = this.#statements
    const times = timesOf(lifetime)
    const { expected, set, removed, owner } = changes
    const isUnchanged = set.size === 0 && removed.size === 0 && owner === undefined
    if (isUnchanged && expected === undefined) return this.#change(touch, id, times)
    const values = [...times, removedKeys(changes), dataText(set), ownerText(owner)]
    if (expected === undefined) return this.#change(update, id, values)
    return this.#change(updateExpected, id, [...values, dataText(expected)])
  }

  override async rotate(
    from: string,
    to: string,
    changes: SessionChanges,
    lifetime: Lifetime,
  ): Promise<boolean> {
    const tombstoneEnd = this.#now() + TOMBSTONE_MILLISECONDS
    const values = [
      ...timesOf(lifetime),
      removedKeys(changes),
      dataText(changes.set),
      ownerText(changes.owner),
      digestIn(to),
      tombstoneEnd,
    ]
    const started = performance.now()
    try {
      return await this.#change(this.#statements.rotate, from, values)
    } catch (error) {
      const left = this.#timeoutMilliseconds - (performance.now() - started)
      if (!isLostConnection(error) || left <= 0) throw error
      // The rotation may have happened. The browser would lose the session, so the store asks the server again.
      return (await this.#change(this.#statements.rotate, from, values)) || (await this.#isRotated(from, to))
    }
  }

  // What is destroyed at once, as the sessions of an account are, is one statement and one commit.
  override async destroy(id: string): Promise<void> {
    const digest = digestIn(id)
    if (this.#destroying === null || this.#destroying.ids.length === DESTROYED_AT_ONCE)
      this.#destroying = this.#collectDestroyed()
    this.#destroying.ids.push(digest)
    await this.#destroying.done
  }

  override async sessionsOf(owner: string): Promise<readonly OwnedSession[]> {
    const { rows } = await this.#query(this.#statements.sessionsOf, [owner, this.#now()])
    return (rows as PostgresRow[]).map((row) => ownedSession('PostgreSQL', recordOf, row))
  }

  /** Closes a pool that belongs to the store, after its operations. A pool of the application stays open. */
  async close(): Promise<void> {
    await this.#sweeping
    await this.#end()
  }

  #collectDestroyed(): { readonly ids: string[]; readonly done: Promise<void> } {
    const ids: string[] = []
    const destroyAll = async (): Promise<void> => {
      if (this.#destroying?.ids === ids) this.#destroying = null
      const tombstoneEnd = this.#now() + TOMBSTONE_MILLISECONDS
      await this.#changeRows(this.#statements.destroy, [ids, tombstoneEnd], ids.length)
    }
    // After everything that this turn destroys.
    return { ids, done: Promise.resolve().then(destroyAll) }
  }

  async #change(statement: PostgresStatement, id: string, values: readonly unknown[]): Promise<boolean> {
    return (await this.#changeRows(statement, [digestIn(id), ...values], 1)) === 1
  }

  // The first value says which rows. The server's clock and the latest start come after it.
  async #changeRows(
    statement: PostgresStatement,
    [rows, ...values]: readonly unknown[],
    expected: number,
  ): Promise<number> {
    let ahead: number
    try {
      ahead = await this.#offset()
    } catch (error) {
      throw error instanceof Error ? told(error) : error
    }
    const notAfter = performance.now() + ahead + LATEST_START * this.#timeoutMilliseconds
    const answer = await this.#query(statement, [rows, this.#now(), notAfter, ...values])
    const [{ changed, late }] = answer.rows as [{ changed: number; late: boolean }]
    if (changed < expected && late) {
      // The server's clock was set, or the server stood still: the statement may have done nothing.
      this.#serverAhead = null
      throw new SessionStoreException('ERR_SESSION_STORE_TIMEOUT', 'PostgreSQL')
    }
    this.#sweepWhenDue()
    return changed
  }

  async #isMigrated(): Promise<boolean> {
    const { text, values } = postgresMigrated(this.#table)
    return (await this.#pool.query({ text, values })).rows.length > 0
  }

  async #isRotated(from: string, to: string): Promise<boolean> {
    const { rowCount } = await this.#query(this.#statements.rotated, [digestIn(from), digestIn(to)])
    return rowCount === 1
  }

  #query(
    { name, text }: PostgresStatement,
    values: unknown[],
  ): Promise<{ rows: unknown[]; rowCount: number | null }> {
    const milliseconds = this.#timeoutMilliseconds
    const query = { text, values, query_timeout: milliseconds, ...(this.#isPrepared ? { name } : {}) }
    return within({ milliseconds, server: 'PostgreSQL', failed: told }, this.#pool.query(query))
  }

  // How far the server's clock is ahead of performance.now(). Measured once, and again when it proves wrong.
  #offset(): Promise<number> {
    if (this.#serverAhead !== null) return this.#serverAhead
    const asking = this.#askOffset()
    this.#serverAhead = asking
    asking.catch(() => {
      this.#serverAhead = null
    })
    return asking
  }

  // The smaller of two measurements is closer to the truth: the first may have waited for a connection.
  async #askOffset(): Promise<number> {
    return Math.min(await this.#askTime(), await this.#askTime())
  }

  async #askTime(): Promise<number> {
    const asked = performance.now()
    const text = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now'
    const milliseconds = this.#timeoutMilliseconds
    const asking = this.#pool.query({ text, query_timeout: milliseconds })
    const { rows } = await within({ milliseconds, server: 'PostgreSQL' }, asking)
    // A SELECT without FROM returns one row.
    const [{ now }] = rows as [{ now: number }]
    return now - asked
  }

  #sweepWhenDue(): void {
    const now = this.#now()
    const isDue = now >= this.#lastSweep + SWEEP_MILLISECONDS || now < this.#lastSweep
    if (!isDue || this.#sweeping !== null) return
    this.#lastSweep = now
    this.#sweeping = this.#sweep()
  }

  async #sweep(): Promise<void> {
    try {
      let swept = SWEPT_AT_ONCE
      while (swept >= SWEPT_AT_ONCE) {
        const { outdated, sweep } = this.#statements
        const { rows } = await this.#query(outdated, [...this.#bounds(), SWEPT_AT_ONCE])
        const ids = (rows as { readonly id: string }[]).map(({ id }) => id)
        // By the clock of now: a statement may have waited for the server, and sessions that have begun meanwhile would look dated in the
        // future, or, where the clock was set back, expired.
        swept = ids.length === 0 ? 0 : Number((await this.#query(sweep, [...this.#bounds(), ids])).rowCount)
      }
    } catch {
      // Expired rows are never read; the next sweep deletes them.
    } finally {
      this.#sweeping = null
    }
  }

  // What has expired by now, and what nobody can have begun yet.
  #bounds(): readonly [now: number, latest: number] {
    const now = this.#now()
    return [now, now + MAX_SKEW_MILLISECONDS]
  }

  #now(): number {
    return Math.floor(readClock(this.#clock))
  }
}

// The driver's own time limit may end just before ours; both are one condition. Errors of the server have a severity, the
// driver's socket errors have none.
function told(error: Error): Error {
  if (error instanceof SessionStoreException || 'severity' in error) return error
  const isLate = /\btimeout\b/i.test(error.message)
  const code = isLate ? 'ERR_SESSION_STORE_TIMEOUT' : 'ERR_SESSION_STORE_UNREACHABLE'
  return new SessionStoreException(code, 'PostgreSQL', { cause: error })
}

function isLostConnection(error: unknown): boolean {
  return error instanceof SessionStoreException && error.code === 'ERR_SESSION_STORE_UNREACHABLE'
}

function partsOf({
  table = DEFAULT_TABLE,
  clock = new SystemClock(),
  prepared = true,
  timeoutMilliseconds = 700,
}: PostgresSessionStoreOptions): Required<PostgresSessionStoreOptions> {
  assertClock(clock)
  assertBoolean(prepared, 'prepared')
  assertMilliseconds(timeoutMilliseconds, 'timeoutMilliseconds')
  return { table, clock, prepared, timeoutMilliseconds }
}
