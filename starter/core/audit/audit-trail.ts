import { sql } from 'kysely'
import {
  AuditTrail as AnyAuditTrail,
  type AuditEntry as Entry,
  type Story,
  TrailRules,
} from 'sallyport-app/audit'
import { PENDING_LOGIN_SECONDS } from '../limits/limits.ts'

/** The recorded events. A fixed list, because free text could contain a secret. */
export const AuditEvent = {
  PasswordRefused: 'password-refused',
  PasswordAccepted: 'password-accepted',
  PasswordLocked: 'password-locked',
  LoginRefused: 'login-refused',
  LoggedIn: 'logged-in',
  CodeRefused: 'code-refused',
  CodeLocked: 'code-locked',
  ChallengeSpent: 'challenge-spent',
  ChallengeExpired: 'challenge-expired',
  ChallengeOutdated: 'challenge-outdated',
  ChallengeCancelled: 'challenge-cancelled',
  AccountUnavailable: 'account-unavailable',
  LoggedOut: 'logged-out',
  AccountCreated: 'account-created',
  StepUpConfirmed: 'step-up-confirmed',
  FactorEnabled: 'factor-enabled',
  FactorReplaced: 'factor-replaced',
  FactorRenamed: 'factor-renamed',
  FactorRemoved: 'factor-removed',
  PasswordChanged: 'password-changed',
  RecoveryCodeUsed: 'recovery-code-used',
  RecoveryCodeRefused: 'recovery-code-refused',
  RecoveryCodesRenewed: 'recovery-codes-renewed',
  Objected: 'objected',
  UnusualSignIn: 'unusual-sign-in',
  TrailTrimmed: 'trail-trimmed',
  BackupMade: 'backup-made',
  MailsRetried: 'mails-retried',
  MailsDropped: 'mails-dropped',
  ResetRequested: 'reset-requested',
  PasswordReset: 'password-reset',
  FactorKeyRotated: 'factor-key-rotated',
  EnrollmentRequired: 'enrollment-required',
} as const

/** The kinds that parts record, each with the message `event.<kind>`: a part adds its own to this interface. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface PartEvents {}

/** One of the recorded kinds. */
export type AuditEvent = (typeof AuditEvent)[keyof typeof AuditEvent] | keyof PartEvents

/** Something that happened; never contains a password, a code or a secret. */
export type AuditEntry = Entry<AuditEvent>

/** The audit trail: who did what, when, from where, with which result. */
export const AuditTrail: typeof AnyAuditTrail<AuditEvent> = AnyAuditTrail
export type AuditTrail = AnyAuditTrail<AuditEvent>

/** What the trail calls passwords that were right, of logins that nobody finished. */
export const PASSWORD_UNFINISHED = 'password-unfinished'

/** A sign-in: a password, and what finished it. */
export const SIGN_IN: Story = {
  begins: AuditEvent.PasswordAccepted,
  ends: AuditEvent.LoggedIn,
  seconds: PENDING_LOGIN_SECONDS,
  unfinished: PASSWORD_UNFINISHED,
}

/** What the trail is told of these kinds, and of accounts. */
export const TRAIL_RULES: TrailRules = new TrailRules({
  always: [AuditEvent.LoggedIn, AuditEvent.LoggedOut],
  nameOf: sql<string | null>`(SELECT name FROM account WHERE account.id = event.account_id)`,
  story: SIGN_IN,
})
