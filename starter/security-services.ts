import type { Kysely } from 'kysely'
import type { App, Clock, Definitions } from 'sallyport'
import type { PasswordHasher } from 'sallyport/auth'
import type { Schema } from './database/schema.ts'
import { PasswordCheck } from './identity/accounts/password-check.ts'
import { PasswordChange } from './identity/accounts/password-change.ts'
import type { AuditTrail } from './identity/audit/audit-trail.ts'
import { Challenges } from './identity/challenges/challenges.ts'
import { FactorLocks } from './identity/factors/factor-locks.ts'
import { FactorChanges } from './identity/factors/factor-changes.ts'
import { FactorSetups } from './identity/factors/factor-setups.ts'
import type { FactorVault } from './identity/factors/factor-vault.ts'
import { RecoveryCodes } from './identity/factors/recovery-codes.ts'
import { SecondFactors } from './identity/factors/second-factors.ts'
import type { TotpLeeway } from './identity/factors/totp-code.ts'
import { TotpEnrollment } from './identity/factors/totp-enrollment.ts'
import { TotpFactors } from './identity/factors/totp-factors.ts'
import type { Attempts } from './identity/limits/attempts.ts'
import type { Notices } from './identity/mail/notices.ts'
import type { FactorPolicy } from './identity/policy/factor-policy.ts'
import { StepUp } from './identity/step-up/step-up.ts'
import { SuspendedActions } from './modules/security/suspended-action.ts'

/** What the services of the security pages are made of. */
export interface SecurityParts {
  /** Its routes say which actions wait. */
  readonly app: App
  /** The accounts and their factors. */
  readonly database: Kysely<Schema>
  /** Who must hold a second factor, and of which kind. */
  readonly policy: FactorPolicy
  /** Seals the secrets of factors. */
  readonly vault: FactorVault
  /** Limits. */
  readonly attempts: Attempts
  /** Pending proofs. */
  readonly challenges: Challenges
  /** Authenticators. */
  readonly factors: TotpFactors
  /** All kinds of factors. */
  readonly secondFactors: SecondFactors
  /** Recovery codes. */
  readonly codes: RecoveryCodes
  /** The check of passwords. */
  readonly passwords: PasswordCheck
  /** Hashes passwords. */
  readonly hasher: PasswordHasher
  /** Mails to the owners of accounts. */
  readonly notices: Notices
  /** The audit trail. */
  readonly audit: AuditTrail
  /** The clock of the application. */
  readonly clock: Clock
  /** Tolerated difference between codes and the clock. */
  readonly leeway: TotpLeeway | undefined
}

/**
 * Registers the services that prove who somebody is, and those behind the security pages.
 *
 * @param definitions The services of the application.
 * @param parts What they are made of.
 */
export function setSecurityServices(definitions: Definitions, parts: SecurityParts): void {
  const locks = new FactorLocks(parts)
  definitions
    .set(TotpFactors, parts.factors)
    .set(SecondFactors, parts.secondFactors)
    .set(RecoveryCodes, parts.codes)
    .set(TotpEnrollment, new TotpEnrollment(parts, parts.leeway))
    .set(Challenges, parts.challenges)
    .set(PasswordCheck, parts.passwords)
    .set(SuspendedActions, new SuspendedActions(() => parts.app.router()))
    .set(FactorLocks, locks)
    .set(StepUp, new StepUp({ ...parts, locks }))
    .set(FactorSetups, new FactorSetups(parts, parts.leeway))
    .set(FactorChanges, new FactorChanges(parts))
    .set(PasswordChange, new PasswordChange(parts))
}
