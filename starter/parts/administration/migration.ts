/** Set-up links, what follows a reset of factors, and what the search of accounts needs. */
export const migration: readonly string[] = [
  `CREATE TABLE set_up_link (
    digest TEXT PRIMARY KEY,
    account_id TEXT NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX set_up_link_age ON set_up_link (expires_at)',
  `CREATE TABLE new_factor (
    account_id TEXT PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    required_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  // One row, which every act of the administration changes first: so they come one after the other on any database.
  `CREATE TABLE administration_turn (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX account_permission_holders ON account_permission (permission, account_id)',
  'CREATE INDEX account_address_search ON account (lower(email_key))',
  'CREATE INDEX account_name_search ON account (lower(name))',
  'CREATE INDEX event_acts ON event (id) WHERE actor IS NOT NULL',
]

/** One row for each account that was added for somebody and has no password yet: the link behind which its owner chooses one. */
export interface SetUpLinkTable {
  /** Digest of the token in the link. */
  digest: string
  account_id: string
  expires_at: number
}

/** One row for each account whose factors were reset, and which holds none since. */
export interface NewFactorTable {
  account_id: string
  required_at: number
}

/** One row: every act of the administration changes it first, so that no two check the same state at once. */
export interface AdministrationTurnTable {
  id: number
  number: number
}

declare module '../../core/database/schema.ts' {
  interface Schema {
    set_up_link: SetUpLinkTable
    new_factor: NewFactorTable
    administration_turn: AdministrationTurnTable
  }
}
