import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const STATEMENTS: readonly string[] = [
  // LIKE ignores the case of ASCII letters, and so does the index that it can use.
  'CREATE INDEX account_address_search ON account (email_key COLLATE NOCASE)',
  'CREATE INDEX account_name_search ON account (name COLLATE NOCASE)',
  'CREATE INDEX event_acts ON event (id) WHERE actor IS NOT NULL',
]

/** Finding accounts by the beginning of address or name, and what the administration did. */
export const accountSearch: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}
