import type { Generated } from 'kysely'
import type { EventTables } from 'sallyport-app/audit'
import type { CodeChallengeTables } from 'sallyport-app/challenges'
import type { KnownClientTables } from 'sallyport-app/clients'
import type { AttemptTables } from 'sallyport-app/limits'
import type { LinkRow, MailTables } from 'sallyport-app/mail'
import type { EndedSessionTables } from 'sallyport-app/sessions'
import type { HeldKind } from '../factors/factor-kinds.ts'

/** One row for each account. Times are Unix timestamps in whole seconds, here and in every table. */
export interface AccountTable {
  id: string
  /** Address as it was entered. */
  email: string
  /** The address normalized by `emailKey()`. Unique. */
  email_key: string
  name: string
  /** PHC or modular-crypt string; null for an account without a password. */
  password_hash: string | null
  /** Accounts that are `disabled` cannot sign in, and their sessions become anonymous at once. */
  state: 'active' | 'disabled'
  created_at: number
  /** Raised by every change of credentials. A session keeps the version that it was begun with, and ends with it. */
  credential_version: number
  /** Mark of the session that raised it; null when the change ended every session. */
  credential_mark: Generated<string | null>
  /** When a link in a mail set its password the last time; null for never. */
  mail_password_at: Generated<number | null>
  /** When it is to be erased; null while nobody has asked for that. */
  leaves_at: Generated<number | null>
  /** Language of the mails to its owner. */
  language: Generated<string>
}

/** One row for each mail that asks to confirm an address, until it is used or an hour old. */
export interface ConfirmationTable extends LinkRow {
  /** Address as it was entered. */
  email: string
  /** The address normalized by `emailKey()`. */
  email_key: string
}

/** One row for each permission of an account. */
export interface AccountPermissionTable {
  account_id: string
  permission: string
}

/** One row for each second factor that an account holds, whatever its kind. Only `enabled` ones count at login. */
export interface FactorTable {
  id: string
  account_id: string
  kind: HeldKind
  /** Name given by its owner. */
  label: string
  state: 'unverified' | 'enabled'
  /** Encrypted by `FactorVault`; the key is stored outside this database. Null for a kind without a secret of ours. */
  secret: string | null
  /**
   * Moving factor (RFC 4226) of the last accepted code: its time step, or its counter. Null before the first. Codes of this one or an
   * earlier one are refused, unless it is in the future.
   */
  last_step: number | null
  created_at: number
  enabled_at: number | null
  used_at: number | null
}

/** One row for each recovery code of the present set. */
export interface RecoveryCodeTable {
  account_id: string
  /** The first characters of the code: they find the row. */
  prefix: string
  /** Hash of the other characters. */
  hash: string
  used_at: number | null
}

/** One row for each accepted time step, the newest hundred of a factor. */
export interface UsedStepTable {
  /** Orders rows by use, because clocks may be set back. */
  id: Generated<number>
  factor_id: string
  step: number
}

/** One row for each mail with a link to set a new password, until it is used or half an hour old. */
export interface PasswordResetTable extends LinkRow {
  /** Account whose password it may set; null when the address has none that may sign in. Such a link is given to nobody. */
  account_id: string | null
  /** Credential version of the account when the link was asked for: any change of credentials ends the link. */
  credential_version: number
}

/** The database of the application; parts add their tables to it. */
export interface Schema
  extends AttemptTables, CodeChallengeTables, EndedSessionTables, EventTables, KnownClientTables, MailTables {
  account: AccountTable
  account_permission: AccountPermissionTable
  confirmation: ConfirmationTable
  factor: FactorTable
  used_step: UsedStepTable
  recovery_code: RecoveryCodeTable
  password_reset: PasswordResetTable
}
