/** Changes of addresses, and the way back. */
export const migration: readonly string[] = [
  `CREATE TABLE address_change (
    digest TEXT PRIMARY KEY,
    account_id TEXT NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    credential_version INTEGER NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX address_change_age ON address_change (expires_at)',
  `CREATE TABLE address_restore (
    digest TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    credential_version INTEGER NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX address_restore_age ON address_restore (expires_at)',
  'CREATE INDEX address_restore_account ON address_restore (account_id)',
]

/** One row for each account whose owner asked to change its address, until the link is used or an hour old. */
export interface AddressChangeTable {
  /** Digest of the token in the link. */
  digest: string
  account_id: string
  /** Credential version of the account at the request: any change of credentials ends the link. */
  credential_version: number
  /** The new address as it was typed. */
  email: string
  /** The new address normalized by `emailKey()`. */
  email_key: string
  expires_at: number
}

/** One row for each changed address, as long as the link in the mail to the former one brings it back. */
export interface AddressRestoreTable {
  /** Digest of the token in the link. */
  digest: string
  account_id: string
  /** Credential version after the change: whoever brings an address back ends the links of this and all later changes. */
  credential_version: number
  /** The former address. */
  email: string
  /** The former address normalized by `emailKey()`. */
  email_key: string
  expires_at: number
}

declare module '../../core/database/schema.ts' {
  interface Schema {
    address_change: AddressChangeTable
    address_restore: AddressRestoreTable
  }
}
