import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const STATEMENTS: readonly string[] = [
  // Browser and system by name; empty where they are not known.
  `ALTER TABLE event ADD COLUMN device TEXT NOT NULL DEFAULT ''`,
  `CREATE TABLE known_client (
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    network TEXT NOT NULL,
    device TEXT NOT NULL,
    seen_at INTEGER NOT NULL,
    told INTEGER NOT NULL CHECK (told IN (0, 1)),
    PRIMARY KEY (account_id, network, device)
  ) STRICT, WITHOUT ROWID`,
]

/** The device of events, and the clients that an account was signed in from. */
export const activity: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}
