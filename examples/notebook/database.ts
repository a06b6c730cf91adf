import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Opens the database and creates its folder and the tables that are missing. */
export function openDatabase(path: string): DatabaseSync {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // Another process may be writing, such as a script beside the server: wait for it instead of failing at once.
  const database = new DatabaseSync(path, { timeout: 5000 })
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA foreign_keys = ON;
    CREATE TABLE IF NOT EXISTS account (
      id INTEGER PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      password_hash TEXT NOT NULL,
      factor_secret TEXT,
      factor_step INTEGER
    ) STRICT;
    CREATE TABLE IF NOT EXISTS recovery_code (
      account_id INTEGER NOT NULL REFERENCES account (id),
      digest TEXT NOT NULL,
      PRIMARY KEY (account_id, digest)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS permission (
      account_id INTEGER NOT NULL REFERENCES account (id),
      name TEXT NOT NULL,
      PRIMARY KEY (account_id, name)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS note (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES account (id),
      title TEXT NOT NULL,
      text TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS attempt (
      subject TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
  `)
  return database
}

/** Runs statements that belong together: all of them count, or none. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
