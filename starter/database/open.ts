import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely'
import { ServiceUnavailableException } from 'sallyport/http'
import { migrate } from './migrations.ts'
import type { Schema } from './schema.ts'

// How long a statement waits for another process's write before it fails. The whole process waits with it.
const BUSY_TIMEOUT_MILLISECONDS = 1000

// SQLite's primary result codes for a database that cannot work at the moment, whatever the statement: BUSY, LOCKED,
// READONLY, IOERR, FULL, CANTOPEN.
const UNAVAILABLE: ReadonlySet<number> = new Set([5, 6, 8, 10, 13, 14])

/**
 * Opens the embedded database and brings it to the newest version.
 *
 * WAL, so that readers do not wait for a writer. `synchronous = FULL`, although a killed process loses nothing
 * under NORMAL either: FULL also survives a power cut, and a used code must stay used. It costs about 0.3 ms for
 * each write, and a login makes a handful.
 *
 * @param path File of the database; `:memory:` for one that is gone when it is closed.
 * @param options `durable`: whether what was written survives a power cut too. Default: true.
 * @returns The database; end it with `destroy()`.
 * @throws {Error} If the file cannot be opened, is no database, or a migration fails.
 */
export async function openDatabase(
  path: string,
  options: { readonly durable?: boolean } = {},
): Promise<Kysely<Schema>> {
  const synchronous = options.durable === false ? 'NORMAL' : 'FULL'
  const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MILLISECONDS })
  try {
    connection.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`,
    )
    const database = new Kysely<Schema>({ dialect: new SqliteDialect({ database: forKysely(connection) }) })
    await migrate(database)
    return database
  } catch (error) {
    connection.close()
    throw error
  }
}

// Kysely speaks to better-sqlite3; this is node:sqlite in that shape.
function forKysely(connection: DatabaseSync): SqliteDatabase {
  return {
    close: () => connection.close(),
    prepare: (sql) => {
      const statement = available(() => connection.prepare(sql))
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => available(() => statement.all(...parameters.map(toInput))),
        run: (parameters) => available(() => statement.run(...parameters.map(toInput))),
        iterate: (parameters) => statement.iterate(...parameters.map(toInput)),
      }
    },
  }
}

// A full disk or a database that another process holds is no fault of the request: it is answered 503 and can be
// repeated. The cause is reported as any fault is.
function available<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!isUnavailable(cause)) throw cause
    throw new ServiceUnavailableException('Accounts cannot be reached at the moment', { cause })
  }
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false
  // The lower byte of an extended code is the primary one.
  return UNAVAILABLE.has(error.errcode & 0xff)
}

// node:sqlite silently stores NULL for a Date or a NaN, so everything but the types in use is refused.
function toInput(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || Number.isSafeInteger(value))
    return value as SQLInputValue
  throw new TypeError(`Cannot store a ${typeof value} in the database`)
}
