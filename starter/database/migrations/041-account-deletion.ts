import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const STATEMENTS: readonly string[] = [
  `CREATE TABLE account_deletion (
    account_id TEXT PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    digest TEXT NOT NULL UNIQUE,
    due_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX account_deletion_due ON account_deletion (due_at)',
]

/** Accounts whose owners asked to delete them. */
export const accountDeletion: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}
