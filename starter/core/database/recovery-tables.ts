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

/** One row for each account whose password was set by a link in a mail. */
export interface MailPasswordTable {
  account_id: string
  set_at: number
}

/** The tables of recovery. */
export interface RecoveryTables {
  mail_password: MailPasswordTable
  password_reset: PasswordResetTable
}
