import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely'
import { migrate } from './migrations.ts'
import type { Schema } from './schema.ts'

// How long a statement waits for another process's write before it fails.
const BUSY_TIMEOUT_MILLISECONDS = 5000

/**
 * Opens the embedded database and brings it to the newest version.
 *
 * WAL, so that readers do not wait for a writer. `synchronous = FULL`, although a killed process loses nothing
 * under NORMAL either: FULL also survives a power cut, and a used code must stay used. It costs about 0.3 ms for
 * each write, and a login makes three.
 *
 * @param path File of the database; `:memory:` for one that is gone when it is closed.
 * @returns The database; end it with `destroy()`.
 * @throws {Error} If the file cannot be opened, is no database, or a migration fails.
 */
export async function openDatabase(path: string): Promise<Kysely<Schema>> {
  const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MILLISECONDS })
  try {
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
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
      const statement = connection.prepare(sql)
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...parameters.map(toInput)),
        run: (parameters) => statement.run(...parameters.map(toInput)),
        iterate: (parameters) => statement.iterate(...parameters.map(toInput)),
      }
    },
  }
}

// node:sqlite silently stores NULL for a Date or a NaN, so everything but the types in use is refused.
function toInput(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || Number.isSafeInteger(value))
    return value as SQLInputValue
  throw new TypeError(`Cannot store a ${typeof value} in the database`)
}
