import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const STATEMENTS: readonly string[] = [
  'ALTER TABLE factor_recovery ADD COLUMN told_at INTEGER',
  'CREATE INDEX factor_recovery_untold ON factor_recovery (ready_at) WHERE ended_at IS NULL AND told_at IS NULL',
  'ALTER TABLE api_token ADD COLUMN told_at INTEGER',
  'CREATE INDEX api_token_untold ON api_token (expires_at) WHERE told_at IS NULL',
]

/** Whose owners were told that a waiting time is over, and that a token ends soon. */
export const reminders: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}
