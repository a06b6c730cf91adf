/** Changes of addresses, and the way back. */
export const migration: readonly string[] = [
  `CREATE TABLE address_change (
    digest TEXT PRIMARY KEY,
    account_id TEXT NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    credential_version INTEGER NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX address_change_age ON address_change (expires_at)',
  `CREATE TABLE address_restore (
    digest TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    credential_version INTEGER NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX address_restore_age ON address_restore (expires_at)',
  'CREATE INDEX address_restore_account ON address_restore (account_id)',
]
