/** One row for each mail with a link to set a new password, until it is used or half an hour old. */
export interface PasswordResetTable {
  /** Digest of the token in the link. */
  digest: string
  /** Account whose password it may set; null when the address has none that may sign in. Such a link is given to nobody. */
  account_id: string | null
  /** Credential version of the account when the link was asked for: any change of credentials ends the link. */
  credential_version: number
  expires_at: number
}

/** One row for each account and each reason for which it must hold a second factor. A deadline is never made later. */
export interface FactorDeadlineTable {
  account_id: string
  /** Holders of the rule, or `reset` when the factors were taken away. */
  rule: string
  /** Unix timestamp from which a login needs a factor. */
  at: number
}

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

/** One row for each account whose password was set by a link in a mail. */
export interface MailPasswordTable {
  account_id: string
  set_at: number
}

/** The tables of recovery. */
export interface RecoveryTables {
  factor_deadline: FactorDeadlineTable
  factor_recovery: FactorRecoveryTable
  recovery_link: RecoveryLinkTable
  mail_password: MailPasswordTable
  password_reset: PasswordResetTable
}
