/** Links with which owners say that it was not them. */
export const objection: readonly string[] = [
  `CREATE TABLE objection (
    digest TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX objection_age ON objection (expires_at)',
]
