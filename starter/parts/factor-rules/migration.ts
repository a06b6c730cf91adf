/** When rules about factors begin to hold for an account. */
export const migration: readonly string[] = [
  `CREATE TABLE factor_deadline (
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    rule TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (account_id, rule)
  ) STRICT, WITHOUT ROWID`,
]
