import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inOneLine, shown } from '../core/internal.ts'

// One row for each session: its entries are one JSON object with JSON values as strings. A tombstone has its successor there
// instead, as a JSON string, or null.
// The owner is null in a tombstone, for anonymous visitors and where an earlier version wrote. Times are Unix milliseconds.
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sallyport_session (
    id TEXT PRIMARY KEY,
    data TEXT NOT NULL,
    ended INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    owner TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS sallyport_session_expiry ON sallyport_session (expires_at);
`
// Most rows may be anonymous, and these have none.
const INDEX = `
  CREATE INDEX IF NOT EXISTS sallyport_session_owner ON sallyport_session (owner) WHERE owner IS NOT NULL;
`
// Waiting blocks the process, which matters little while opening, when no request waits yet.
const OPENING_MILLISECONDS = 2000
const PAUSE_MILLISECONDS = 5
// SQLITE_BUSY; extended codes have it in their last byte.
const BUSY = 5
// SQLITE_CANTOPEN; extended codes have it in their last byte.
const CANNOT_OPEN = 14
// SQLITE_ERROR, which says nothing in particular.
const OTHER = 1

/**
 * Opens the database and creates its table, or adds to the table of an earlier version what it lacks.
 *
 * @param path File of the database.
 * @param durable Whether a committed write survives a power failure.
 * @returns The database.
 * @throws {Error} If it cannot be opened.
 */
export function openDatabase(path: string, durable: boolean): DatabaseSync {
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(path, { timeout: OPENING_MILLISECONDS })
    prepare(database, durable)
    database.exec('PRAGMA busy_timeout = 0')
    return database
  } catch (cause) {
    database?.close()
    throw primaryCode(cause) === undefined ? cause : cannotOpen(path, cause)
  }
}

// SQLite does not wait by itself where two processes that both read a new file want to write to it: one has to let go, and
// begins again.
function prepare(database: DatabaseSync, durable: boolean): void {
  const deadline = performance.now() + OPENING_MILLISECONDS
  for (;;)
    try {
      database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`)
      return migrate(database)
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error
      sleep(PAUSE_MILLISECONDS)
    }
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

// Several processes may start at once: the first migrates while the others wait. One of the version before may go on.
function migrate(database: DatabaseSync): void {
  if (hasOwner(database)) return
  database.exec('BEGIN IMMEDIATE')
  try {
    database.exec(SCHEMA)
    if (!hasOwner(database)) database.exec('ALTER TABLE sallyport_session ADD COLUMN owner TEXT')
    database.exec(INDEX)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function hasOwner(database: DatabaseSync): boolean {
  const columns = database.prepare("SELECT name FROM pragma_table_info('sallyport_session')").all()
  return columns.some(({ name }) => name === 'owner')
}

function cannotOpen(path: string, cause: unknown): Error {
  const folder = dirname(resolve(path))
  // A path with a scheme is a URI to SQLite, with a folder that only SQLite finds.
  const isMissing = primaryCode(cause) === CANNOT_OPEN && !path.startsWith('file:') && !existsSync(folder)
  const reason = isMissing
    ? `there is no folder ${JSON.stringify(folder)}; create it first`
    : cause instanceof Error
      ? cause.message
      : shown(cause)
  const message = `Cannot open the session database ${JSON.stringify(path)}: ${reason}`
  return new Error(inOneLine(message), { cause })
}

// Undefined if it is no error of SQLite.
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error) return Number(error.errcode) & 0xff
  const isOfSqlite = 'code' in error && error.code === 'ERR_SQLITE_ERROR'
  return isOfSqlite ? codeIn(error.message) : undefined
}

// Deno passes on SQLite's text of a code, and not the code.
function codeIn(message: string): number {
  if (message.startsWith('database is locked')) return BUSY
  return message.startsWith('unable to open database file') ? CANNOT_OPEN : OTHER
}

/**
 * @param error Anything that was thrown.
 * @returns Whether another connection had what was needed, so that trying again may help.
 */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY
}
