/** Accounts that are about to be deleted. */
export const deletion: readonly string[] = [
  `CREATE TABLE account_deletion (
    account_id TEXT PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    digest TEXT NOT NULL UNIQUE,
    due_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX account_deletion_due ON account_deletion (due_at)',
]
