import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const RECOVERY: readonly string[] = [
  `CREATE TABLE password_reset (
    digest TEXT PRIMARY KEY,
    account_id TEXT REFERENCES account (id) ON DELETE CASCADE,
    credential_version INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX password_reset_age ON password_reset (expires_at)',
  'CREATE INDEX password_reset_account ON password_reset (account_id)',
]

/** Links that set a new password. */
export const recovery: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of RECOVERY) await sql.raw(statement).execute(database)
  },
}
