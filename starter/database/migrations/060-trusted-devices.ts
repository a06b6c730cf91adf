import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const TRUSTED_DEVICES: readonly string[] = [
  `CREATE TABLE trusted_device (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    credential_version INTEGER NOT NULL,
    device TEXT NOT NULL,
    trusted_at INTEGER NOT NULL,
    used_at INTEGER,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX trusted_device_account ON trusted_device (account_id, trusted_at)',
  'CREATE INDEX trusted_device_age ON trusted_device (expires_at)',
]

/** Trusted browsers, for installations that switch them on. */
export const trustedDevices: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of TRUSTED_DEVICES) await sql.raw(statement).execute(database)
  },
}
