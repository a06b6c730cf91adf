/** One row for each request to replace lost factors. At most one of an account is open. */
export interface FactorRecoveryTable {
  id: string
  account_id: string
  /** Credential version of the account at the request: any change of credentials ends it. */
  credential_version: number
  asked_at: number
  /** When the waiting time ends; null until the link in the first mail was confirmed. */
  ready_at: number | null
  /** After that it counts no more: the first link, or the time to set up the new factor, has run out. */
  expires_at: number
  /** Null while it is open. */
  ended_at: number | null
  outcome: 'completed' | 'cancelled' | 'outdated' | null
}

/** One row for each link in a mail about such a request. */
export interface RecoveryLinkTable {
  /** Digest of the token in the link. */
  digest: string
  recovery_id: string
  purpose: 'confirm' | 'cancel'
}

declare module '../../core/database/schema.ts' {
  interface Schema {
    factor_recovery: FactorRecoveryTable
    recovery_link: RecoveryLinkTable
  }
}
