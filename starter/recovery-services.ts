import type { Kysely } from 'kysely'
import type { Clock, Definitions } from 'sallyport'
import type { Schema } from './database/schema.ts'
import type { Users } from './identity/accounts/users.ts'
import type { AuditTrail } from './identity/audit/audit-trail.ts'
import type { SecondFactors } from './identity/factors/second-factors.ts'
import { Attempts } from './identity/limits/attempts.ts'
import { FactorPolicy } from './identity/policy/factor-policy.ts'
import { FACTOR_RULES, type FactorRule } from './identity/policy/factor-rules.ts'
import { FactorRecovery } from './identity/recovery/factor-recovery.ts'
import { PasswordReset } from './identity/recovery/password-reset.ts'

/** What brings people back in, and who must hold a second factor. */
export interface RecoveryServices {
  /** Who must hold a second factor. */
  readonly policy: FactorPolicy
  /** Recovery of lost factors. */
  readonly recoveries: FactorRecovery
  /** Registers the services. */
  define(definitions: Definitions): void
}

/**
 * @param parts `database` of the accounts, `users`, their second `factors`, the limits in `attempts`, the `audit` trail, the `clock`, and the `rules`
 *   about second factors, if not those of the application.
 * @returns The services of recovery.
 */
export function createRecoveryServices(parts: {
  readonly database: Kysely<Schema>
  readonly users: Users
  readonly factors: SecondFactors
  readonly attempts: Attempts
  readonly audit: AuditTrail
  readonly clock: Clock
  readonly rules: readonly FactorRule[] | undefined
}): RecoveryServices {
  const { rules = FACTOR_RULES, ...services } = parts
  const policy = new FactorPolicy(services, rules)
  const recoveries = new FactorRecovery(services)
  return {
    policy,
    recoveries,
    define: (definitions) => {
      definitions
        .set(Attempts, services.attempts)
        .set(FactorPolicy, policy)
        .set(FactorRecovery, recoveries)
        .set(PasswordReset, new PasswordReset(services))
    },
  }
}
