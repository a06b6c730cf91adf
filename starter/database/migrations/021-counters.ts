import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

// SQLite changes no CHECK of a table: a new one takes its place, and then the one that refers to it.
const COUNTERS: readonly string[] = [
  `CREATE TABLE factor_2 (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('totp', 'hotp')),
    label TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('unverified', 'enabled')),
    secret TEXT NOT NULL,
    last_step INTEGER CHECK (last_step IS NULL OR kind = 'totp'),
    last_counter INTEGER CHECK (last_counter IS NULL OR kind = 'hotp'),
    created_at INTEGER NOT NULL,
    enabled_at INTEGER,
    used_at INTEGER
  ) STRICT`,
  `INSERT INTO factor_2 (id, account_id, kind, label, state, secret, last_step, created_at, enabled_at, used_at)
    SELECT id, account_id, kind, label, state, secret, last_step, created_at, enabled_at, used_at FROM factor`,
  // It kept the first counter that was not used.
  `INSERT INTO factor_2 (id, account_id, kind, label, state, secret, last_counter, created_at, enabled_at, used_at)
    SELECT id, account_id, 'hotp', label, 'enabled', secret, CASE counter WHEN 0 THEN NULL ELSE counter - 1 END, created_at, created_at,
      used_at FROM hotp_factor`,
  `CREATE TABLE used_step_2 (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    factor_id TEXT NOT NULL REFERENCES factor_2 (id) ON DELETE CASCADE,
    step INTEGER NOT NULL,
    UNIQUE (factor_id, step)
  ) STRICT`,
  'INSERT INTO used_step_2 (id, factor_id, step) SELECT id, factor_id, step FROM used_step ORDER BY id',
  'DROP TABLE used_step',
  'DROP TABLE factor',
  'DROP TABLE hotp_factor',
  'ALTER TABLE factor_2 RENAME TO factor',
  'ALTER TABLE used_step_2 RENAME TO used_step',
  'CREATE INDEX factor_account ON factor (account_id)',
]

/** Authenticators that count (HOTP) are factors like others, with the last accepted counter in the place of the last time step. */
export const counters: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of COUNTERS) await sql.raw(statement).execute(database)
  },
}
