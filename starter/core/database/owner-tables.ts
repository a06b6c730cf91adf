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
  former_name: FormerNameTable
  ended_session: EndedSessionTable
}
