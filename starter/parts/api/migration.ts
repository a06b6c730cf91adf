/** API tokens. */
export const migration: readonly string[] = [
  `CREATE TABLE api_token (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK (name <> ''),
    digest TEXT NOT NULL UNIQUE,
    hint TEXT NOT NULL,
    scope TEXT NOT NULL,
    credential_version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
  ) STRICT`,
  'CREATE INDEX api_token_account ON api_token (account_id, created_at)',
  'CREATE INDEX api_token_age ON api_token (expires_at)',
]
