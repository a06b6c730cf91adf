import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const REPLAYS: readonly string[] = [
  'ALTER TABLE trusted_device ADD COLUMN former_digest TEXT',
  `CREATE TABLE trusted_device_replay (
    device_id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX trusted_device_replay_account ON trusted_device_replay (account_id)',
  'CREATE INDEX trusted_device_replay_age ON trusted_device_replay (expires_at)',
]

/**
 * Trust that ended because its token was used a second time: the sessions that began with it are void. The digest of the token
 * before the present one tells a second tab from a copy.
 */
export const trustedDeviceReplays: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of REPLAYS) await sql.raw(statement).execute(database)
  },
}
