import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const PASSKEYS: readonly string[] = [
  `CREATE TABLE passkey (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    credential_id TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL,
    label TEXT NOT NULL,
    resident TEXT NOT NULL CHECK (resident IN ('yes', 'no', 'unknown')),
    created_at INTEGER NOT NULL,
    used_at INTEGER
  ) STRICT`,
  'CREATE INDEX passkey_account ON passkey (account_id)',
  // Each challenge that was answered, until long after its end.
  `CREATE TABLE used_passkey_challenge (
    challenge TEXT PRIMARY KEY,
    used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX used_passkey_challenge_age ON used_passkey_challenge (used_at)',
  `CREATE TABLE hotp_factor (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    secret TEXT NOT NULL,
    counter INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER
  ) STRICT`,
  'CREATE INDEX hotp_factor_account ON hotp_factor (account_id)',
]

/** Passkeys and security keys, and authenticators that count (HOTP). */
export const passkeys: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of PASSKEYS) await sql.raw(statement).execute(database)
  },
}
