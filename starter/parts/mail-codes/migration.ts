/** Codes by email. */
export const migration: readonly string[] = [
  `CREATE TABLE mail_code (
    challenge_id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX mail_code_account ON mail_code (account_id)',
  'CREATE INDEX mail_code_age ON mail_code (expires_at)',
]
