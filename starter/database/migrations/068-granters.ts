import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const GRANTERS: readonly string[] = [
  'ALTER TABLE account_permission ADD COLUMN granted_at INTEGER NOT NULL DEFAULT 0',
  `ALTER TABLE account_permission ADD COLUMN granters TEXT NOT NULL DEFAULT '[]'`,
]

/** When a permission was granted, and by whom: who received it from the one who asks does not decide about what they ask for. */
export const granters: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of GRANTERS) await sql.raw(statement).execute(database)
  },
}
