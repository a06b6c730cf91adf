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

/** One row for each API token that was not revoked. */
export interface ApiTokenTable {
  id: string
  account_id: string
  /** Name given by its owner. */
  name: string
  /** SHA-256 of the token; finds the row. Unique. */
  digest: string
  /** The first characters of the token, by which its owner recognizes it. */
  hint: string
  /** What the token was made for, separated by blanks as in RFC 6749 section 3.3. The account may have less by now. */
  scope: string
  /** Credential version of the account when the token was made or last confirmed. With another one it is suspended. */
  credential_version: number
  created_at: number
  /** The token ends at this second. */
  expires_at: number
  /** Last use, to within a minute; null before the first. */
  used_at: number | null
}

declare module '../../core/database/schema.ts' {
  interface Schema {
    api_token: ApiTokenTable
  }
}
