import type { App, Clock, Definitions } from 'sallyport'
import type { PasswordCheck } from './identity/accounts/password-check.ts'
import type { AuditTrail } from './identity/audit/audit-trail.ts'
import type { Challenges } from './identity/challenges/challenges.ts'
import type { SecondFactors } from './identity/factors/second-factors.ts'
import type { TotpFactors } from './identity/factors/totp-factors.ts'
import { StepUp } from './identity/step-up/step-up.ts'
import { SuspendedActions } from './modules/security/suspended-action.ts'

/** What the services of the security pages are made of. */
export interface SecurityParts {
  /** Its routes say which actions wait. */
  readonly app: App
  /** Pending proofs. */
  readonly challenges: Challenges
  /** Authenticators. */
  readonly factors: TotpFactors
  /** All kinds of factors. */
  readonly secondFactors: SecondFactors
  /** The check of passwords. */
  readonly passwords: PasswordCheck
  /** The audit trail. */
  readonly audit: AuditTrail
  /** The clock of the application. */
  readonly clock: Clock
}

/**
 * Registers the services behind the security pages.
 *
 * @param definitions The services of the application.
 * @param parts What they are made of.
 */
export function setSecurityServices(definitions: Definitions, parts: SecurityParts): void {
  definitions
    .set(SuspendedActions, new SuspendedActions(() => parts.app.router()))
    .set(StepUp, new StepUp(parts))
}
