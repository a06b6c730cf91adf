import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import { dataPaths } from '../boot/index.ts'
import { reasonOf, type ServerSettings, StartupError } from '../settings/index.ts'
import { RefusedError } from './command.ts'

/** Those settings that say what there is to copy. */
export type BackupSettings = Pick<ServerSettings, 'databaseUrl' | 'redisUrl' | 'dataDirectory'>

/**
 * Says whether databases can be copied into a folder.
 *
 * @param settings Where they are.
 * @param folder A new folder.
 * @throws {RefusedError} If the folder is there, or the database is at a server.
 */
export function assertCopyable(settings: BackupSettings, folder: string): void {
  if (settings.databaseUrl !== undefined)
    throw new RefusedError('DATABASE_URL names a database of PostgreSQL: copy that with pg_dump')
  if (existsSync(folder)) throw new RefusedError(`${folder} is there already: name a new folder`)
}

/**
 * Copies the databases of SQLite while the application runs: each copy is the database of one moment, whatever is written meanwhile, and
 * readable by its owner only. Sessions of a `REDIS_URL` are not copied: people sign in again.
 *
 * @param settings Where they are.
 * @param folder A new folder.
 * @returns Paths of the copies.
 * @throws {RefusedError} If the folder is there, or the database is at a server.
 * @throws {StartupError} If the folder cannot be written.
 */
export async function copyDatabases(settings: BackupSettings, folder: string): Promise<readonly string[]> {
  assertCopyable(settings, folder)
  const { accounts, sessions } = dataPaths(settings.dataDirectory)
  const sources = settings.redisUrl === undefined ? { accounts, sessions } : { accounts }
  const copies: string[] = []
  try {
    mkdirSync(folder, { mode: 0o700 })
    for (const [name, source] of Object.entries(sources)) {
      const copy = join(folder, `${name}.sqlite`)
      await copyTo(copy, source)
      copies.push(copy)
    }
  } catch (cause) {
    throw new StartupError(`the copy cannot be written to ${folder} (${reasonOf(cause)})`, { cause })
  }
  return copies
}

async function copyTo(copy: string, source: string): Promise<void> {
  const database = new DatabaseSync(source, { readOnly: true })
  try {
    await copyDatabase(database, copy)
    chmodSync(copy, 0o600)
  } finally {
    database.close()
  }
}
