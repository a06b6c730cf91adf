import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const MAIL_CODES: readonly string[] = [
  `CREATE TABLE mail_code (
    challenge_id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX mail_code_account ON mail_code (account_id)',
  'CREATE INDEX mail_code_age ON mail_code (expires_at)',
]

/** Codes by mail, for installations that switch them on. */
export const mailCodes: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of MAIL_CODES) await sql.raw(statement).execute(database)
  },
}
