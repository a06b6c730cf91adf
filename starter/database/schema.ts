import type { Generated } from 'kysely'

/** One row for each account. Times are Unix timestamps in whole seconds, here and in every table. */
export interface AccountTable {
  id: string
  /** Address as its owner wrote it. */
  email: string
  /** The address as it is looked up: see `emailKey()`. Unique. */
  email_key: string
  name: string
  /** PHC or modular-crypt string; null for an account that has no password. */
  password_hash: string | null
  /** `disabled` accounts can no longer log in, and their sessions are anonymous at once. */
  state: 'active' | 'disabled'
  created_at: number
}

/** One row for each permission that an account holds. */
export interface AccountPermissionTable {
  account_id: string
  permission: string
}

/** One row for each second factor. Only `enabled` ones count at login. */
export interface FactorTable {
  id: string
  account_id: string
  kind: 'totp'
  /** What its owner calls it. */
  label: string
  state: 'unverified' | 'enabled'
  /** Sealed by `FactorVault`; the key is outside this database. */
  secret: string
  /** Time step that was accepted last; null until the first. Codes at or below it are refused, unless it is to come. */
  last_step: number | null
  created_at: number
  enabled_at: number | null
  used_at: number | null
}

/** One row for each time step whose code was accepted, the newest hundred of a factor. */
export interface UsedStepTable {
  /** In the order of use: clocks are set, this is not. */
  id: Generated<number>
  factor_id: string
  step: number
}

/** One row for each pending login that a code was tried against. */
export interface ChallengeTable {
  /** Identifier that the pending session carries beside `_2fa`. */
  id: string
  account_id: string
  /** Tries so far. */
  attempts: number
  created_at: number
  /** When a code was accepted for it, in the transaction that used the code up; null before. It accepts no other one. */
  ended_at: number | null
}

/** One row for each failed try that still counts against a limit, and for each that is judged at the moment. */
export interface AttemptTable {
  id: Generated<number>
  /** What the limit protects: `factor:<account>`, `password:<digest of the address>`, `address:<network>`. */
  subject: string
  at: number
  /** 0 while the password or code is looked at, in whichever process; 1 once it was wrong. */
  judged: Generated<number>
}

/** The audit trail: the database refuses to change a row, or to delete one within 90 days. */
export interface EventTable {
  id: Generated<number>
  at: number
  /** Null when nobody could be named, an unknown address for one. No foreign key: the trail outlives the account. */
  account_id: string | null
  kind: string
  client_address: string
  /** Identifier of the pending login the event belongs to. */
  challenge_id: string | null
}

/** The database of the starter. */
export interface Schema {
  account: AccountTable
  account_permission: AccountPermissionTable
  factor: FactorTable
  used_step: UsedStepTable
  challenge: ChallengeTable
  attempt: AttemptTable
  event: EventTable
}
