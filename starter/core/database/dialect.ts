import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { HttpException, ServiceUnavailableException } from 'sallyport/http'

const MAX_PAUSE_MILLISECONDS = 25
// More than this application has. The text of a statement with a list depends on its length.
const KEPT_STATEMENTS = 100

// SQLite's primary result codes. The lower byte of an extended code is its primary code.
const BUSY = 5
// The database is temporarily unusable, whatever the statement: BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN.
const UNAVAILABLE: ReadonlySet<number> = new Set([BUSY, 6, 8, 10, 13, 14])
// An extended code: CONSTRAINT_FOREIGNKEY.
const FOREIGN_KEY = 787

/**
 * Kysely on `node:sqlite`. A statement that finds the database locked by another process waits without blocking anything else:
 * SQLite's own wait would block the whole process. While it waits, reads can use the connection.
 *
 * All statements share one connection. A statement outside a transaction waits for the end of the transaction that is open. A
 * transaction takes the write lock when it begins (`BEGIN IMMEDIATE`), so nothing inside it has to wait.
 *
 * A new row that belongs to one that another process has deleted fails with a 409.
 */
export class NodeSqliteDialect implements Dialect {
  readonly #connection: DatabaseSync
  readonly #timeoutMilliseconds: number

  /** @param timeoutMilliseconds How long a statement waits for other processes before it fails with a 503. */
  constructor(connection: DatabaseSync, timeoutMilliseconds: number) {
    this.#connection = connection
    this.#timeoutMilliseconds = timeoutMilliseconds
  }

  createDriver(): Driver {
    return new NodeSqliteDriver(this.#connection, this.#timeoutMilliseconds)
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler()
  }

  createAdapter(): DialectAdapter {
    return new NodeSqliteAdapter()
  }

  createIntrospector(database: Kysely<never>): DatabaseIntrospector {
    return new SqliteIntrospector(database)
  }
}

// The driver schedules connections itself: Kysely would hold the connection for a statement that waits.
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

interface PreparedStatement {
  readonly statement: StatementSync
  readonly hasRows: boolean
}

class NodeSqliteDriver implements Driver {
  readonly #connection: DatabaseSync
  readonly #statements = new Map<string, PreparedStatement>()
  readonly #timeoutMilliseconds: number
  #open: { readonly owner: Session; readonly ended: Promise<void>; readonly end: () => void } | undefined

  constructor(connection: DatabaseSync, timeoutMilliseconds: number) {
    this.#connection = connection
    this.#timeoutMilliseconds = timeoutMilliseconds
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const session: Session = new Session((query) => this.#execute(session, query))
    return session
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#whenUnlocked(async () => {
      while (this.#open !== undefined) await this.#open.ended
      this.#connection.exec('BEGIN IMMEDIATE')
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      this.#open = { owner: connection as Session, ended, end }
    })
  }

  // A commit that fails is followed by a rollback.
  async commitTransaction(): Promise<void> {
    this.#assertTransaction()
    available(() => this.#connection.exec('COMMIT'))
    this.#end()
  }

  async rollbackTransaction(): Promise<void> {
    try {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
    } finally {
      this.#end()
    }
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#connection.close()
  }

  #end(): void {
    this.#open?.end()
    this.#open = undefined
  }

  // SQLite rolls back by itself in some cases, such as a full disk. What follows would be written at once.
  #assertTransaction(): void {
    if (!this.#connection.isTransaction) throw new Error('The transaction has been rolled back')
  }

  async #execute(session: Session, query: CompiledQuery): Promise<QueryResult<unknown>> {
    if (this.#open?.owner === session) {
      this.#assertTransaction()
      return available(() => this.#run(query))
    }
    return this.#whenUnlocked(async () => {
      while (this.#open !== undefined) await this.#open.ended
      return this.#run(query)
    })
  }

  #whenUnlocked<T>(attempt: () => Promise<T>): Promise<T> {
    return whenUnlocked(this.#timeoutMilliseconds, attempt)
  }

  #run({ sql, parameters }: CompiledQuery): QueryResult<unknown> {
    const { statement, hasRows } = this.#prepared(sql)
    const values = parameters.map(toInput)
    // Plain objects, unlike those of node:sqlite, which have no prototype.
    if (hasRows) return { rows: statement.all(...values).map((row) => ({ ...row })) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  // Preparing a statement takes longer than running most of them. SQLite prepares it again when the schema has changed.
  #prepared(sql: string): PreparedStatement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#connection.prepare(sql)
    const prepared = { statement, hasRows: statement.columns().length > 0 }
    const [oldest] = this.#statements.keys()
    if (this.#statements.size >= KEPT_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest)
    this.#statements.set(sql, prepared)
    return prepared
  }
}

// A connection in Kysely's sense: its holder and the transaction, if there is one.
class Session implements DatabaseConnection {
  readonly #execute: (query: CompiledQuery) => Promise<QueryResult<unknown>>

  constructor(execute: (query: CompiledQuery) => Promise<QueryResult<unknown>>) {
    this.#execute = execute
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#execute(query) as Promise<QueryResult<R>>
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }
}

/**
 * Waits for another process's lock without blocking this process.
 *
 * @returns The result of the attempt.
 * @throws {ServiceUnavailableException} If the wait was too long, or the database is temporarily unusable for another reason.
 */
export async function whenUnlocked<T>(
  timeoutMilliseconds: number,
  attempt: () => T | Promise<T>,
): Promise<T> {
  const end = performance.now() + timeoutMilliseconds
  for (let milliseconds = 1; ; milliseconds = Math.min(2 * milliseconds, MAX_PAUSE_MILLISECONDS)) {
    try {
      return await attempt()
    } catch (error) {
      if (primaryCode(error) !== BUSY || performance.now() + milliseconds > end) return refuse(error)
    }
    await pause(milliseconds)
  }
}

/** @returns SQLite's primary result code; undefined for any other error. */
export function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined
  return error.errcode & 0xff
}

function available<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    return refuse(error)
  }
}

function refuse(error: unknown): never {
  throw refusalOf(error)
}

// A full disk or a locked database is not the fault of the request: the response is a 503, and the request can be repeated.
// The cause is reported. An account, or something else that a new row belongs to, may be erased by another process after it was
// read: nothing is written then, and the response is a 409.
function refusalOf(cause: unknown): unknown {
  if (cause instanceof Error && 'errcode' in cause && cause.errcode === FOREIGN_KEY)
    return new HttpException(409, 'ERR_STARTER_GONE', 'What this belongs to has been deleted meanwhile', {
      cause,
    })
  const code = primaryCode(cause)
  if (code === undefined || !UNAVAILABLE.has(code)) return cause
  return new ServiceUnavailableException('Accounts cannot be reached at the moment', { cause })
}

// node:sqlite silently stores NULL for a Date or NaN, so all types except those in use are refused.
function toInput(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || Number.isSafeInteger(value))
    return value as SQLInputValue
  throw new TypeError(`Cannot store a ${typeof value} in the database`)
}
