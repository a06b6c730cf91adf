import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const FORMER_NAMES: readonly string[] = [
  `CREATE TABLE former_name (
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    ended_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, name)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX former_name_age ON former_name (ended_at)',
]

/** What the owners of accounts were called before, for the comparison of the two persons of a reset. */
export const formerNames: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of FORMER_NAMES) await sql.raw(statement).execute(database)
  },
}
