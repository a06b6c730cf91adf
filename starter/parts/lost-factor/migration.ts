/** Recoveries of lost factors. */
export const migration: readonly string[] = [
  `CREATE TABLE factor_recovery (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    credential_version INTEGER NOT NULL,
    asked_at INTEGER NOT NULL,
    ready_at INTEGER,
    expires_at INTEGER NOT NULL,
    ended_at INTEGER,
    outcome TEXT CHECK (outcome IN ('completed', 'cancelled', 'outdated')),
    CHECK ((ended_at IS NULL) = (outcome IS NULL))
  ) STRICT, WITHOUT ROWID`,
  'CREATE UNIQUE INDEX factor_recovery_open ON factor_recovery (account_id) WHERE ended_at IS NULL',
  'CREATE INDEX factor_recovery_account ON factor_recovery (account_id, ended_at)',
  'CREATE INDEX factor_recovery_age ON factor_recovery (expires_at)',
  'CREATE INDEX factor_recovery_ready ON factor_recovery (ready_at) WHERE ended_at IS NULL',
  `CREATE TABLE recovery_link (
    digest TEXT PRIMARY KEY,
    recovery_id TEXT NOT NULL REFERENCES factor_recovery (id) ON DELETE CASCADE,
    purpose TEXT NOT NULL CHECK (purpose IN ('confirm', 'cancel'))
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX recovery_link_recovery ON recovery_link (recovery_id)',
]
