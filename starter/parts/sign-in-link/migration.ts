/** Links that sign in. */
export const migration: readonly string[] = [
  `CREATE TABLE sign_in_link (
    digest TEXT PRIMARY KEY,
    account_id TEXT REFERENCES account (id) ON DELETE CASCADE,
    credential_version INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX sign_in_link_age ON sign_in_link (expires_at)',
  'CREATE INDEX sign_in_link_account ON sign_in_link (account_id)',
]

/** One row for each link that was asked for, until it is used or 15 minutes old. */
export interface SignInLinkTable {
  /** Digest of the token in the link. */
  digest: string
  /** Null where the address has no account that may sign in by a link: the work is the same. */
  account_id: string | null
  /** Credential version of the account at the request: any change of credentials ends the link. */
  credential_version: number
  expires_at: number
}

declare module '../../core/database/schema.ts' {
  interface Schema {
    sign_in_link: SignInLinkTable
  }
}
