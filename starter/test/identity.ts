import { inject } from 'sallyport'
import { AccountSessions, PasswordHasher } from 'sallyport/auth'
import { Users } from '../core/accounts/users.ts'
import { AccountStates } from '../parts/administration/account-states.ts'
import { ActLog } from '../parts/administration/act-log.ts'
import { FactorKeys } from '../core/factors/factor-keys.ts'
import { FactorResets } from '../parts/administration/factor-resets.ts'
import { Grants } from '../parts/administration/grants.ts'
import { NewAccounts } from '../parts/administration/new-accounts.ts'
import { SessionEnds } from '../parts/administration/session-ends.ts'
import { AuditTrail } from '../core/audit/audit-trail.ts'
import { Leftovers } from '../core/operations/leftovers.ts'
import { RecoveryCodes } from '../core/factors/recovery-codes.ts'
import { SecondFactors } from '../core/factors/second-factors.ts'
import { TotpFactors } from '../core/factors/totp-factors.ts'
import { Notices } from '../core/mail/notices.ts'
import { FactorPolicy } from '../core/factors/factor-policy.ts'

/** What the pages of the administration and the commands do. */
class Administration {
  readonly accounts: NewAccounts = inject(NewAccounts)
  readonly states: AccountStates = inject(AccountStates)
  readonly grants: Grants = inject(Grants)
  readonly sessions: SessionEnds = inject(SessionEnds)
  readonly resets: FactorResets = inject(FactorResets)
  readonly log: ActLog = inject(ActLog)
  readonly stored: AccountSessions = inject(AccountSessions)
  readonly keys: FactorKeys = inject(FactorKeys)
}

/** The services that tests ask for most. */
export class Identity {
  readonly users: Users = inject(Users)
  readonly factors: TotpFactors = inject(TotpFactors)
  readonly secondFactors: SecondFactors = inject(SecondFactors)
  readonly codes: RecoveryCodes = inject(RecoveryCodes)
  readonly hasher: PasswordHasher = inject(PasswordHasher)
  readonly policy: FactorPolicy = inject(FactorPolicy)
  readonly audit: AuditTrail = inject(AuditTrail)
  readonly notices: Notices = inject(Notices)
  readonly leftovers: Leftovers = inject(Leftovers)
  readonly administration: Administration = inject(Administration)
}
