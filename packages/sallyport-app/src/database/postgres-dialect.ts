import {
  type CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  PostgresAdapter,
  PostgresDialect as KyselyPostgresDialect,
  type QueryResult,
} from 'kysely'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import { isLost, isOrphan, isUnavailable } from './postgres-faults.ts'
import { gone, unavailable } from './refusals.ts'

/** An arbitrary number that no other program at this database uses: who holds it writes. */
const WRITE_LOCK = 6_403_117_259

// A process that stands still in the middle of a transaction, or whose network is gone, keeps nobody from writing for longer.
const MAX_STANDSTILL_MILLISECONDS = 5000

/** Connections to a server, for statements that only read and for those that write. */
export interface PostgresPools {
  readonly readers: Pool
  /** Writes come one after the other, so two are enough: one writes, and the other has its turn next. */
  readonly writers: Pool
}

/**
 * Kysely's dialect for PostgreSQL, on `pg`. It writes as SQLite does: one transaction of all processes after the other, and a statement
 * that writes is one of its own. Each takes an advisory lock when it begins, so what it reads stays true until it ends. Statements that
 * only read wait for nobody.
 *
 * What waits too long for its turn or an answer, or cannot reach the server, fails with a 503. A new row that belongs to one that another
 * process has deleted fails with a 409.
 */
export class PostgresDialect extends KyselyPostgresDialect {
  readonly #pools: PostgresPools
  readonly #timeoutMilliseconds: number

  constructor(pools: PostgresPools, timeoutMilliseconds: number) {
    // The driver below takes its place.
    super({ pool: pools.readers })
    this.#pools = pools
    this.#timeoutMilliseconds = timeoutMilliseconds
  }

  override createAdapter(): DialectAdapter {
    return new Adapter()
  }

  override createDriver(): Driver {
    return new PostgresDriver(this.#pools, this.#timeoutMilliseconds)
  }
}

// The transaction of the migrations has the write lock already.
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

class PostgresDriver implements Driver {
  readonly #pools: PostgresPools
  readonly #begin: string

  constructor(pools: PostgresPools, timeoutMilliseconds: number) {
    this.#pools = pools
    this.#begin = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
      SET LOCAL lock_timeout = ${timeoutMilliseconds};
      SET LOCAL idle_in_transaction_session_timeout = ${MAX_STANDSTILL_MILLISECONDS};
      SELECT pg_advisory_xact_lock(${WRITE_LOCK})`
  }

  async init(): Promise<void> {
    // A pool connects when it is asked.
  }

  async acquireConnection(): Promise<Connection> {
    return new Connection(this.#pools, this.#begin)
  }

  beginTransaction(connection: Connection): Promise<void> {
    return connection.begin()
  }

  commitTransaction(connection: Connection): Promise<void> {
    return connection.commit()
  }

  rollbackTransaction(connection: Connection): Promise<void> {
    return connection.rollback()
  }

  async releaseConnection(): Promise<void> {
    // The end of a transaction gives its connection back.
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#pools.readers.end(), this.#pools.writers.end()])
  }
}

// Takes a connection to the server when it needs one: what waits to write must not keep others from reading.
class Connection implements DatabaseConnection {
  readonly #pools: PostgresPools
  readonly #begin: string
  #client: PoolClient | undefined
  #isLost = false

  constructor(pools: PostgresPools, begin: string) {
    this.#pools = pools
    this.#begin = begin
  }

  async executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const query = { text, values: parameters.map(toValue) }
    if (this.#client !== undefined) return toResult<Row>(await this.#answerOf(this.#client.query(query)))
    if (isRead(text)) return toResult<Row>(await this.#answerOf(this.#pools.readers.query(query)))
    return toResult<Row>(await this.#alone(query))
  }

  streamQuery(): never {
    throw new Error('Cannot stream rows: read them at once')
  }

  async begin(): Promise<void> {
    this.#client = await this.#answerOf(this.#pools.writers.connect())
    try {
      await this.#answerOf(this.#client.query(this.#begin))
    } catch (error) {
      await this.rollback()
      throw error
    }
  }

  // A commit that fails is followed by a rollback.
  async commit(): Promise<void> {
    const { command } = await this.#answerOf(this.#own.query('COMMIT'))
    if (command !== 'COMMIT') throw new Error('The transaction has been rolled back')
    this.#release()
  }

  // A connection that is gone takes its transaction with it.
  async rollback(): Promise<void> {
    if (this.#client === undefined) return
    if (!this.#isLost) await this.#answerOf(this.#client.query('ROLLBACK')).catch(() => (this.#isLost = true))
    this.#release()
  }

  #release(): void {
    this.#own.release(this.#isLost)
    this.#client = undefined
  }

  // All of it is sent at once, so that others wait for the server alone. After a failure, COMMIT ends what it would have confirmed.
  async #alone(query: QueryConfig): Promise<Answer> {
    this.#client = await this.#answerOf(this.#pools.writers.connect())
    const asked = [this.#begin, query, 'COMMIT'].map((each) => this.#answerOf(this.#own.query(each)))
    const [begun, made, ended] = await Promise.allSettled(asked)
    this.#release()
    for (const each of [begun, made, ended]) if (each?.status === 'rejected') throw each.reason
    if (made?.status !== 'fulfilled') throw new Error('There is no answer')
    return made.value
  }

  async #answerOf<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked
    } catch (error) {
      this.#isLost ||= isLost(error)
      if (isOrphan(error)) throw gone(error)
      throw isUnavailable(error) ? unavailable(error) : error
    }
  }

  get #own(): PoolClient {
    if (this.#client === undefined) throw new Error('There is no transaction')
    return this.#client
  }
}

interface Answer {
  readonly command: string
  readonly rowCount: number | null
  readonly rows: readonly unknown[]
}

function toResult<Row>({ command, rowCount, rows }: Answer): QueryResult<Row> {
  const writes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE'
  return { rows: rows as Row[], ...(writes ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) }
}

// A text that begins like this writes nothing: no statement of the application has a writing one inside.
function isRead(text: string): boolean {
  return /^\s*(?:SELECT|WITH RECURSIVE)\b/i.test(text)
}

// As in SQLite, all types except those in use are refused; Kysely itself asks with booleans. PostgreSQL cannot store U+0000, which no text
// of the application has: what asks for such a text finds nothing.
function toValue(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\u{fffd}')
  if (value === null || typeof value === 'boolean' || Number.isSafeInteger(value)) return value
  throw new TypeError(`Cannot store a ${typeof value} in the database`)
}
