import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { NodeSqliteDialect, whenUnlocked } from './dialect.ts'
import { migrate } from './migrations.ts'
import type { Schema } from './schema.ts'

// How long a statement waits for another process's write before it fails.
const TIMEOUT_MILLISECONDS = 1000

/** How a database is opened. */
export interface DatabaseOptions {
  /** Whether what was written survives a power cut, and not only the end of the process. Default: true. */
  readonly durable?: boolean
  /** How long a statement waits while another process writes, in milliseconds. Default: 1000. */
  readonly timeoutMilliseconds?: number
}

/**
 * Opens the embedded database and brings it to the newest version.
 *
 * WAL, so that readers do not wait for a writer. `synchronous = FULL`, although a killed process loses nothing
 * under NORMAL either: FULL also survives a power cut, and a used code must stay used. It costs about 0.3 ms for
 * each write, and a login makes a handful.
 *
 * @param path File of the database; `:memory:` for one that is gone when it is closed.
 * @param options Durability and time limit.
 * @returns The database; end it with `destroy()`.
 * @throws {Error} If the file cannot be opened, is no database, or a migration fails.
 * @throws {NewerDatabaseError} If a newer version of this application has migrated it.
 * @throws {IncompleteDatabaseError} If a table or trigger of it was dropped.
 */
export async function openDatabase(path: string, options: DatabaseOptions = {}): Promise<Kysely<Schema>> {
  const { durable = true, timeoutMilliseconds = TIMEOUT_MILLISECONDS } = options
  // SQLite's own wait would stand still with the whole process.
  const connection = new DatabaseSync(path, { timeout: 0 })
  try {
    await whenUnlocked(timeoutMilliseconds, () => connection.exec('PRAGMA journal_mode = WAL'))
    connection.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}; PRAGMA foreign_keys = ON`)
    const dialect = new NodeSqliteDialect(connection, timeoutMilliseconds)
    const database = new Kysely<Schema>({ dialect })
    await migrate(database)
    return database
  } catch (error) {
    connection.close()
    throw error
  }
}
