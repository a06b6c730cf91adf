import type { Kysely } from 'kysely'
import type { Clock, Definitions } from 'sallyport'
import { AccountSessions } from 'sallyport/auth'
import type { SessionPolicy, SessionStore } from 'sallyport/session'
import type { Schema } from './database/schema.ts'
import { AccountStates } from './identity/administration/account-states.ts'
import { Acts } from './identity/administration/acts.ts'
import { FactorKeys } from './identity/administration/factor-keys.ts'
import { Grants } from './identity/administration/grants.ts'
import { countAdministrators } from './identity/administration/last-administrator.ts'
import { NewAccounts } from './identity/administration/new-accounts.ts'
import { SessionEnds } from './identity/administration/session-ends.ts'
import type { AuditTrail } from './identity/audit/audit-trail.ts'
import type { FactorVault } from './identity/factors/factor-vault.ts'

/** What the pages of the administration and the commands do: both call these. */
export interface Administration {
  /** Adds accounts for others. */
  readonly accounts: NewAccounts
  /** Disables and enables accounts. */
  readonly states: AccountStates
  /** Grants and withdraws permissions. */
  readonly grants: Grants
  /** Ends sessions. */
  readonly sessions: SessionEnds
  /** Replaces the key of the factors' secrets. */
  readonly keys: FactorKeys
  /**
   * @returns How many accounts can let others in.
   */
  administrators(): Promise<number>
}

/**
 * @param services `database` of the accounts, the `audit` trail, the `vault` of the factors, `store` and `policy` of the
 *   sessions, and the `clock`.
 * @returns The use cases of the administration.
 */
export function createAdministration(services: {
  readonly database: Kysely<Schema>
  readonly audit: AuditTrail
  readonly vault: FactorVault
  readonly store: SessionStore
  readonly policy: SessionPolicy
  readonly clock: Clock
}): Administration {
  const acts = new Acts(services)
  const stored = new AccountSessions(services.store, services.policy, services.clock)
  const sessions = new SessionEnds({ ...services, acts, sessions: stored })
  return {
    accounts: new NewAccounts({ ...services, acts }),
    states: new AccountStates({ acts, sessions }),
    grants: new Grants(acts),
    sessions,
    keys: new FactorKeys({ ...services, acts }),
    administrators: () => countAdministrators(services.database),
  }
}

/**
 * @param definitions Services of the application.
 * @param administration What its pages need.
 */
export function registerAdministration(definitions: Definitions, administration: Administration): void {
  definitions.set(AccountStates, administration.states)
  definitions.set(SessionEnds, administration.sessions)
  definitions.set(NewAccounts, administration.accounts)
}
