import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import { gone, unavailable } from './refusals.ts'

const MAX_PAUSE_MILLISECONDS = 25
// More than this application has. The text of a statement with a list depends on its length.
const MAX_STATEMENTS = 100

// SQLite's primary result codes. The lower byte of an extended code is its primary code.
const BUSY = 5
// The database is temporarily unusable, whatever the statement: BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN.
const UNAVAILABLE: ReadonlySet<number> = new Set([BUSY, 6, 8, 10, 13, 14])
// An extended code: CONSTRAINT_FOREIGNKEY.
const FOREIGN_KEY = 787

/**
 * Kysely's dialect for SQLite, on `node:sqlite`. All statements share one connection. A statement outside a transaction waits for the end
 * of the one that is open. A transaction takes the write lock when it begins (`BEGIN IMMEDIATE`), so nothing inside it has to wait.
 *
 * A statement that finds the database locked by another process waits without blocking anything else, up to a timeout, and fails with a
 * 503 then. A new row that belongs to one that another process has deleted fails with a 409.
 */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #connection: DatabaseSync
  readonly #timeoutMilliseconds: number

  constructor(connection: DatabaseSync, timeoutMilliseconds: number) {
    // The driver below takes its place.
    super({ database: statementsOf(connection) })
    this.#connection = connection
    this.#timeoutMilliseconds = timeoutMilliseconds
  }

  override createDriver(): Driver {
    return new NodeSqliteDriver(this.#connection, this.#timeoutMilliseconds)
  }

  override createAdapter(): DialectAdapter {
    return new NodeSqliteAdapter()
  }
}

// The driver schedules statements itself: Kysely would hold the connection for one that waits.
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class NodeSqliteDriver extends SqliteDriver {
  readonly #connection: DatabaseSync
  readonly #timeoutMilliseconds: number
  #open: { readonly owner: DatabaseConnection; readonly ended: PromiseWithResolvers<void> } | undefined

  constructor(connection: DatabaseSync, timeoutMilliseconds: number) {
    super({ database: statementsOf(connection) })
    this.#connection = connection
    this.#timeoutMilliseconds = timeoutMilliseconds
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const shared = await super.acquireConnection()
    const own: DatabaseConnection = {
      executeQuery: (query) =>
        this.#open?.owner === own
          ? this.#within(() => shared.executeQuery(query))
          : this.#alone(() => shared.executeQuery(query)),
      streamQuery: () => {
        throw new Error('Cannot stream rows: read them at once')
      },
    }
    return own
  }

  override async beginTransaction(owner: DatabaseConnection): Promise<void> {
    await this.#alone(async () => {
      this.#connection.exec('BEGIN IMMEDIATE')
      this.#open = { owner, ended: Promise.withResolvers() }
    })
  }

  // A commit that fails is followed by a rollback.
  override async commitTransaction(): Promise<void> {
    await this.#within(async () => this.#connection.exec('COMMIT'))
    this.#end()
  }

  override async rollbackTransaction(): Promise<void> {
    try {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
    } finally {
      this.#end()
    }
  }

  #end(): void {
    this.#open?.ended.resolve()
    this.#open = undefined
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    return whenUnlocked(this.#timeoutMilliseconds, async () => {
      while (this.#open !== undefined) await this.#open.ended.promise
      return work()
    })
  }

  // SQLite rolls back by itself in some cases, such as a full disk. What follows would be written at once.
  async #within<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#connection.isTransaction) throw new Error('The transaction has been rolled back')
    return work().catch(refuse)
  }
}

// Preparing a statement takes longer than running most of them. SQLite prepares it again when the schema has changed.
function statementsOf(connection: DatabaseSync): SqliteDatabase {
  const known = new Map<string, SqliteStatement>()
  return {
    prepare: (text) => {
      const statement = known.get(text) ?? statementOf(connection, text)
      if (known.size >= MAX_STATEMENTS) known.clear()
      known.set(text, statement)
      return statement
    },
    close: () => connection.close(),
  }
}

function statementOf(connection: DatabaseSync, text: string): SqliteStatement {
  const statement = connection.prepare(text)
  return {
    reader: statement.columns().length > 0,
    // Plain objects, unlike those of node:sqlite, which have no prototype.
    all: (values) => statement.all(...values.map(toInput)).map((row) => ({ ...row })),
    run: (values) => statement.run(...values.map(toInput)),
    iterate: (values) => statement.iterate(...values.map(toInput)),
  }
}

// node:sqlite silently stores NULL for a Date or NaN, so all types except those in use are refused.
function toInput(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || Number.isSafeInteger(value))
    return value as SQLInputValue
  throw new TypeError(`Cannot store a ${typeof value} in the database`)
}

/**
 * Waits for another process's lock without blocking this process.
 *
 * @throws {HttpException} With the status 503, if the wait was too long, or the database is temporarily unusable for another reason.
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

/**
 * Reads the code of an error of SQLite.
 *
 * @param error Any error.
 * @returns SQLite's primary result code, such as 5 for a locked database; undefined for any other error.
 */
export function primaryCode(error: unknown): number | undefined {
  const code = extendedCode(error)
  return code === undefined ? undefined : code & 0xff
}

function extendedCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined
}

function refuse(cause: unknown): never {
  if (extendedCode(cause) === FOREIGN_KEY) throw gone(cause)
  if (UNAVAILABLE.has(primaryCode(cause) ?? 0)) throw unavailable(cause)
  throw cause
}
