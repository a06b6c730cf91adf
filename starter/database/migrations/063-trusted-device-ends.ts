import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const ENDS: readonly string[] = [
  'ALTER TABLE trusted_device_replay RENAME TO trusted_device_end',
  'ALTER TABLE trusted_device_end ADD COLUMN unseen_digest TEXT',
  'DROP INDEX trusted_device_replay_account',
  'DROP INDEX trusted_device_replay_age',
  'CREATE INDEX trusted_device_end_account ON trusted_device_end (account_id)',
  'CREATE INDEX trusted_device_end_age ON trusted_device_end (expires_at)',
]

/**
 * Trust whose sessions are void now also ends where a response may have got lost. The digest is that of the token in this response: who
 * shows it has copied a browser.
 */
export const trustedDeviceEnds: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of ENDS) await sql.raw(statement).execute(database)
  },
}
