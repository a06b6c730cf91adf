import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

const initial: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of INITIAL) await sql.raw(statement).execute(database)
  },
}

// STRICT: SQLite otherwise stores any type in any column.
const INITIAL: readonly string[] = [
  `CREATE TABLE account (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    password_hash TEXT,
    state TEXT NOT NULL CHECK (state IN ('active', 'disabled')),
    created_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE account_permission (
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    permission TEXT NOT NULL CHECK (permission <> ''),
    PRIMARY KEY (account_id, permission)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE factor (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('totp')),
    label TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('unverified', 'enabled')),
    secret TEXT NOT NULL,
    last_step INTEGER,
    created_at INTEGER NOT NULL,
    enabled_at INTEGER,
    used_at INTEGER
  ) STRICT`,
  'CREATE INDEX factor_account ON factor (account_id)',
  `CREATE TABLE challenge (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX challenge_age ON challenge (created_at)',
  'CREATE TABLE attempt (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, at INTEGER NOT NULL) STRICT',
  'CREATE INDEX attempt_subject ON attempt (subject, at)',
  'CREATE INDEX attempt_age ON attempt (at)',
  `CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    account_id TEXT,
    kind TEXT NOT NULL,
    client_address TEXT NOT NULL,
    challenge_id TEXT
  ) STRICT`,
  'CREATE INDEX event_account ON event (account_id, id)',
  `CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'The audit trail is append-only'); END`,
  `CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'The audit trail is append-only'); END`,
]

// A challenge ends with the login that a code of it makes.
const challengeEnd: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE challenge ADD COLUMN ended_at INTEGER`.execute(database)
  },
}

// Names sort in the order they run; a migration that was released is never edited.
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001_initial': initial,
  '002_challenge_end': challengeEnd,
}

/**
 * Brings a database to the newest version: all missing migrations, or none. The write lock is taken before the first
 * look, so of two processes that start at once the second waits and finds everything done.
 *
 * @param database An open database, with one connection.
 * @throws {Error} If a migration fails; the database is left as it was.
 */
export async function migrate<S>(database: Kysely<S>): Promise<void> {
  const provider = { getMigrations: async () => ({ ...MIGRATIONS }) }
  const migrator = new Migrator({ db: database, provider, disableTransactions: true })
  await sql`BEGIN IMMEDIATE`.execute(database)
  const { error } = await migrator.migrateToLatest()
  await (error === undefined ? sql`COMMIT` : sql`ROLLBACK`).execute(database)
  if (error !== undefined) throw new Error('Cannot migrate the database', { cause: error })
}
