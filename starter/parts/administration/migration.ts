/** Set-up links, resets of factors, and what the search of accounts needs. */
export const migration: readonly string[] = [
  `CREATE TABLE set_up_link (
    digest TEXT PRIMARY KEY,
    account_id TEXT NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX set_up_link_age ON set_up_link (expires_at)',
  // It stays when the link is gone: whoever had it may have chosen the password.
  `CREATE TABLE account_way_in (
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    actor TEXT NOT NULL,
    PRIMARY KEY (account_id, actor)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE new_factor (
    account_id TEXT PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    required_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE factor_reset (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('requested', 'approved', 'cancelled')),
    reason TEXT NOT NULL,
    requested_by TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    decided_by TEXT,
    decided_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX factor_reset_account ON factor_reset (account_id)',
  'CREATE INDEX factor_reset_age ON factor_reset (expires_at)',
  // One open request for each account.
  `CREATE UNIQUE INDEX factor_reset_open ON factor_reset (account_id) WHERE state = 'requested'`,
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

/** One row for each set-up link of an account that was added for somebody: who could have used it, as `actorName()` names them. */
export interface AccountWayInTable {
  account_id: string
  actor: string
}

/** One row for each request to reset the factors of an account, where a second person has to approve it. */
export interface FactorResetTable {
  id: string
  account_id: string
  state: 'requested' | 'approved' | 'cancelled'
  reason: string
  /** Who asked, as `actorName()` names it. */
  requested_by: string
  requested_at: number
  expires_at: number
  /** Who approved or cancelled it; null before. */
  decided_by: string | null
  /** When that was, or when it was found expired; null before, and where a change of the account ended it. */
  decided_at: number | null
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
    account_way_in: AccountWayInTable
    factor_reset: FactorResetTable
    new_factor: NewFactorTable
    administration_turn: AdministrationTurnTable
  }
}
