import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether the owner has confirmed to have kept the recovery codes. Of sets from before nothing is said. */
export const recoveryCodeSets: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`CREATE TABLE recovery_code_set (
      account_id TEXT PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
      id TEXT NOT NULL,
      made_at INTEGER NOT NULL,
      kept_at INTEGER
    ) STRICT, WITHOUT ROWID`.execute(database)
  },
}
