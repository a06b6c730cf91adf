import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const LOST_FACTOR: readonly string[] = [
  `CREATE TABLE factor_deadline (
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    rule TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (account_id, rule)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE factor_recovery (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    credential_version INTEGER NOT NULL,
    asked_at INTEGER NOT NULL,
    ready_at INTEGER,
    expires_at INTEGER NOT NULL,
    ended_at INTEGER,
    outcome TEXT CHECK (outcome IN ('completed', 'cancelled', 'outdated')),
    CHECK ((ended_at IS NULL) = (outcome IS NULL))
  ) STRICT, WITHOUT ROWID`,
  'CREATE UNIQUE INDEX factor_recovery_open ON factor_recovery (account_id) WHERE ended_at IS NULL',
  'CREATE INDEX factor_recovery_account ON factor_recovery (account_id, ended_at)',
  `CREATE TABLE recovery_link (
    digest TEXT PRIMARY KEY,
    recovery_id TEXT NOT NULL REFERENCES factor_recovery (id) ON DELETE CASCADE,
    purpose TEXT NOT NULL CHECK (purpose IN ('confirm', 'cancel'))
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX recovery_link_recovery ON recovery_link (recovery_id)',
  `CREATE TABLE mail_password (
    account_id TEXT PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    set_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
]

/** Who must hold a second factor, and how lost ones are replaced. */
export const lostFactor: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of LOST_FACTOR) await sql.raw(statement).execute(database)
  },
}
