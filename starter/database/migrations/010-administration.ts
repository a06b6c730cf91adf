import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The tables that the administration adds. */
export const ADMINISTRATION_PARTS: readonly string[] = ['administration_turn', 'factor_reset', 'set_up_link']

const STATEMENTS: readonly string[] = [
  // Who did it, where that is somebody else than the owner of the account, to what, and why.
  'ALTER TABLE event ADD COLUMN actor TEXT',
  'ALTER TABLE event ADD COLUMN detail TEXT',
  'ALTER TABLE event ADD COLUMN reason TEXT',
  `CREATE TABLE set_up_link (
    digest TEXT PRIMARY KEY,
    account_id TEXT NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE factor_reset (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('requested', 'approved', 'cancelled')),
    reason TEXT NOT NULL,
    requested_by TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    decided_by TEXT,
    decided_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  // One open request for each account.
  `CREATE UNIQUE INDEX factor_reset_open ON factor_reset (account_id) WHERE state = 'requested'`,
  // One row, which every act of the administration changes first: so they come one after the other on any database.
  `CREATE TABLE administration_turn (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL
  ) STRICT`,
  'INSERT INTO administration_turn (id, number) VALUES (1, 0)',
  'CREATE INDEX account_permission_holders ON account_permission (permission, account_id)',
]

/** Who administers what, why, and with whose approval. */
export const administration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}
