/** Accounts that are about to be deleted. */
export const migration: readonly string[] = [
  `CREATE TABLE account_deletion (
    account_id TEXT PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    digest TEXT NOT NULL UNIQUE
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX account_leaving ON account (leaves_at) WHERE leaves_at IS NOT NULL',
]
