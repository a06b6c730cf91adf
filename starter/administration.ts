import type { Kysely } from 'kysely'
import type { Clock, Definitions } from 'sallyport'
import { AccountSessions } from 'sallyport/auth'
import type { SessionPolicy, SessionStore } from 'sallyport/session'
import type { Schema } from './database/schema.ts'
import { AccountConditions } from './identity/administration/account-conditions.ts'
import { AccountStates } from './identity/administration/account-states.ts'
import { AccountDirectory } from './identity/administration/account-directory.ts'
import { ActLog } from './identity/administration/act-log.ts'
import { Acts } from './identity/administration/acts.ts'
import { FactorKeys } from './identity/administration/factor-keys.ts'
import { FactorResets } from './identity/administration/factor-resets.ts'
import { Grants } from './identity/administration/grants.ts'
import { countAdministrators } from './identity/administration/last-administrator.ts'
import { NewAccounts } from './identity/administration/new-accounts.ts'
import { SessionEnds } from './identity/administration/session-ends.ts'
import type { AuditTrail } from './identity/audit/audit-trail.ts'
import type { FactorVault } from './identity/factors/factor-vault.ts'
import type { Attempts } from './identity/limits/attempts.ts'
import type { Notices } from './identity/mail/notices.ts'

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
  /** Resets second factors. */
  readonly resets: FactorResets
  /** Finds accounts. */
  readonly directory: AccountDirectory
  /** Tells what is under way with them. */
  readonly conditions: AccountConditions
  /** Tells who administered what, and why. */
  readonly log: ActLog
  /** Counts and ends stored sessions. */
  readonly stored: AccountSessions
  /** Replaces the key of the factors' secrets. */
  readonly keys: FactorKeys
  /**
   * @returns How many accounts can let others in.
   */
  administrators(): Promise<number>
}

/**
 * @param services `database` of the accounts, the limits in `attempts`, the `audit` trail, the `vault` of the factors, `store` and
 *   `policy` of the sessions, `notices` to the owners, the `clock`, and whether a reset of factors needs the approval of a second person.
 * @returns The use cases of the administration.
 */
export function createAdministration(services: {
  readonly database: Kysely<Schema>
  readonly attempts: Attempts
  readonly audit: AuditTrail
  readonly vault: FactorVault
  readonly store: SessionStore
  readonly policy: SessionPolicy
  readonly notices: Notices
  readonly clock: Clock
  readonly resetNeedsApproval?: boolean
}): Administration {
  const acts = new Acts(services)
  const stored = new AccountSessions(services.store, services.policy, services.clock)
  const sessions = new SessionEnds({ ...services, acts, sessions: stored })
  return {
    accounts: new NewAccounts({ ...services, acts }),
    states: new AccountStates({ acts, sessions, notices: services.notices }),
    grants: new Grants(acts),
    sessions,
    resets: new FactorResets(
      { ...services, acts, sessions },
      { needsApproval: services.resetNeedsApproval ?? false },
    ),
    directory: new AccountDirectory(services.database),
    conditions: new AccountConditions(services),
    log: new ActLog(services.database),
    stored,
    keys: new FactorKeys({ ...services, acts }),
    administrators: () => countAdministrators(services.database),
  }
}

/**
 * @param definitions Services of the application.
 * @param administration What its pages need.
 */
export function registerAdministration(definitions: Definitions, administration: Administration): void {
  definitions
    .set(NewAccounts, administration.accounts)
    .set(AccountStates, administration.states)
    .set(Grants, administration.grants)
    .set(SessionEnds, administration.sessions)
    .set(FactorResets, administration.resets)
    .set(AccountDirectory, administration.directory)
    .set(AccountConditions, administration.conditions)
    .set(ActLog, administration.log)
    .set(AccountSessions, administration.stored)
}
