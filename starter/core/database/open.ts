import { DatabaseSync } from 'node:sqlite'
import type { Part } from '../part.ts'
import { Database } from './database.ts'
import { NodeSqliteDialect, whenUnlocked } from './sqlite-dialect.ts'
import { SQLITE } from './engine.ts'
import { migrate } from './migrations.ts'

/** Options for opening a database. */
export interface DatabaseOptions {
  /** Whether a committed write survives a power failure as well as the end of the process. Default: true. */
  readonly durable?: boolean
  /** How long a statement waits while another process writes, in milliseconds. Default: 1000. */
  readonly timeoutMilliseconds?: number
  /** The parts of the application, which have tables of their own. Default: none. */
  readonly parts?: readonly Part[]
}

/**
 * Opens the embedded database and migrates it to the newest version.
 *
 * It uses WAL, so that readers do not wait for a writer, and `synchronous = FULL`: with NORMAL a killed process loses nothing either, but
 * FULL also survives a power failure, and a used code must stay used. It costs about 0.3 ms per commit.
 *
 * @throws {Error} If the file cannot be opened, is not a database of this version, or a migration fails.
 */
export async function openDatabase(
  path: string,
  { durable = true, timeoutMilliseconds = 1000, parts = [] }: DatabaseOptions = {},
): Promise<Database> {
  // SQLite's own wait would block the whole process.
  const connection = new DatabaseSync(path, { timeout: 0 })
  try {
    await whenUnlocked(timeoutMilliseconds, () => connection.exec('PRAGMA journal_mode = WAL'))
    connection.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}; PRAGMA foreign_keys = ON`)
    const database = new Database({ dialect: new NodeSqliteDialect(connection, timeoutMilliseconds) })
    await migrate(database, { parts, engine: SQLITE })
    return database
  } catch (error) {
    connection.close()
    throw error
  }
}
