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
  account_deletion: AccountDeletionTable
  former_name: FormerNameTable
  ended_session: EndedSessionTable
}
