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

/** One row for each account whose owner asked to delete it, until it is stopped or erased. */
export interface AccountDeletionTable {
  account_id: string
  /** Digest of the token in the link that stops it. */
  digest: string
  /** When the account is erased. */
  due_at: number
}

/** One row for each name and address that an account had before the present one, for 30 days. */
export interface FormerNameTable {
  account_id: string
  /** The name, or the address as it was typed. */
  name: string
  /** When it was changed. */
  ended_at: number
}

/** One row for each session that another one has ended lately. */
export interface EndedSessionTable {
  /** Its handle in the list of sessions. Nobody can sign in with it. */
  handle: string
  account_id: string
  ended_at: number
}

/** The tables of what owners change about themselves. */
export interface OwnerTables {
  address_change: AddressChangeTable
  address_restore: AddressRestoreTable
  account_deletion: AccountDeletionTable
  former_name: FormerNameTable
  ended_session: EndedSessionTable
}
