/** Trusted browsers. */
export const migration: readonly string[] = [
  `CREATE TABLE trusted_browser (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    credential_version INTEGER NOT NULL,
    device TEXT NOT NULL,
    trusted_at INTEGER NOT NULL,
    used_at INTEGER,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX trusted_browser_account ON trusted_browser (account_id, trusted_at)',
  'CREATE INDEX trusted_browser_age ON trusted_browser (expires_at)',
]
