import { DatabaseSync } from 'node:sqlite'
import { Database } from './database.ts'
import { NodeSqliteDialect, whenUnlocked } from './sqlite-dialect.ts'
import { SQLITE } from './engine.ts'
import { migrate, type NamedMigration } from './migrations.ts'

/** Options for opening a database. */
export interface DatabaseOptions {
  /** Whether a committed write survives a power failure as well as the end of the process. Default: true. */
  readonly durable?: boolean
  /** How long a statement waits while another process writes, in milliseconds. Default: 1000. */
  readonly timeoutMilliseconds?: number
  /** What makes the tables of the application. */
  readonly migrations: readonly NamedMigration[]
}

/**
 * Opens the embedded database and migrates it to the newest version.
 *
 * It uses WAL, so that readers do not wait for a writer, and `synchronous = FULL`: with NORMAL a killed process loses nothing either, but
 * FULL also survives a power failure, and a used code must stay used. It costs about 0.3 ms per commit.
 *
 * @param path Path of the file, which is made where it is missing; `:memory:` for none.
 * @param options Its migrations, and how it is opened.
 * @returns The database. `destroy()` closes it.
 * @throws {UnusableDatabaseError} If it has migrations that are not among these, or a table or trigger is missing.
 * @throws {Error} If the file cannot be opened, or a migration fails; the database is unchanged then.
 */
export async function openDatabase<Tables>(
  path: string,
  { durable = true, timeoutMilliseconds = 1000, migrations }: DatabaseOptions,
): Promise<Database<Tables>> {
  // SQLite's own wait would block the whole process.
  const connection = new DatabaseSync(path, { timeout: 0 })
  try {
    await whenUnlocked(timeoutMilliseconds, () => connection.exec('PRAGMA journal_mode = WAL'))
    connection.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}; PRAGMA foreign_keys = ON`)
    const database = new Database<Tables>({ dialect: new NodeSqliteDialect(connection, timeoutMilliseconds) })
    await migrate(database, { migrations, engine: SQLITE })
    return database
  } catch (error) {
    connection.close()
    throw error
  }
}
