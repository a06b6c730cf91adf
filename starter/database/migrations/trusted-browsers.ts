/** Trusted browsers, and those that ended. */
export const trustedBrowsers: readonly string[] = [
  `CREATE TABLE trusted_device (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    credential_version INTEGER NOT NULL,
    device TEXT NOT NULL,
    trusted_at INTEGER NOT NULL,
    used_at INTEGER,
    expires_at INTEGER NOT NULL,
    former_digest TEXT
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX trusted_device_account ON trusted_device (account_id, trusted_at)',
  'CREATE INDEX trusted_device_age ON trusted_device (expires_at)',
  `CREATE TABLE trusted_device_end (
    device_id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL,
    unseen_digest TEXT
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX trusted_device_end_account ON trusted_device_end (account_id)',
  'CREATE INDEX trusted_device_end_age ON trusted_device_end (expires_at)',
]
