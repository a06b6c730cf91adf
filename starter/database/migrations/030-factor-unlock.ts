import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const FACTOR_UNLOCK: readonly string[] = [
  `CREATE TABLE factor_unlock (
    digest TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    credential_version INTEGER NOT NULL,
    factor TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    failed_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX factor_unlock_account ON factor_unlock (account_id, created_at)',
  'CREATE UNIQUE INDEX factor_unlock_id ON factor_unlock (id)',
]

/** Links in mails that let a browser go on although a factor is locked. */
export const factorUnlock: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of FACTOR_UNLOCK) await sql.raw(statement).execute(database)
  },
}
