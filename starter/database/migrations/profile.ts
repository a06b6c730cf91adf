/** Former names of accounts. */
export const profile: readonly string[] = [
  `CREATE TABLE former_name (
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    ended_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, name)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX former_name_age ON former_name (ended_at)',
]
