import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const STATEMENTS: readonly string[] = [
  // The language of the mails to an account.
  `ALTER TABLE account ADD COLUMN language TEXT NOT NULL DEFAULT 'en'`,
  `CREATE TABLE objection (
    digest TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX objection_age ON objection (expires_at)',
]

/** The language of an account, and the links by which its owner objects to what a mail reports. */
export const notices: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}
