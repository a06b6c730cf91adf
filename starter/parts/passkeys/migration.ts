/** Passkeys, and the challenges that were used. */
export const migration: readonly string[] = [
  `CREATE TABLE passkey (
    id TEXT PRIMARY KEY REFERENCES factor (id) ON DELETE CASCADE,
    credential_id TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL,
    resident TEXT NOT NULL CHECK (resident IN ('yes', 'no', 'unknown'))
  ) STRICT`,
  `CREATE TABLE used_passkey_challenge (
    challenge TEXT PRIMARY KEY,
    used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX used_passkey_challenge_age ON used_passkey_challenge (used_at)',
]
