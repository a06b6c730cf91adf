/** Links that unlock a factor. */
export const migration: readonly string[] = [
  `CREATE TABLE factor_unlock (
    digest TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    credential_version INTEGER NOT NULL,
    factor TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    failed_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX factor_unlock_account ON factor_unlock (account_id, created_at)',
  'CREATE UNIQUE INDEX factor_unlock_id ON factor_unlock (id)',
]
