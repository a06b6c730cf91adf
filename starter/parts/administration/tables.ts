/** One row for each account that was added for somebody and has no password yet: the link behind which its owner chooses one. */
export interface SetUpLinkTable {
  /** Digest of the token in the link. */
  digest: string
  account_id: string
  expires_at: number
}

/** One row for each account that was added for somebody: who could have used its set-up link, as `actorName()` names them, in JSON. */
export interface AccountWayInTable {
  account_id: string
  actors: string
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
