import { inject } from 'sallyport'
import { AccountStates } from '../account-states.ts'
import { ActLog } from '../act-log.ts'
import { FactorResets } from '../factor-resets.ts'
import { Grants } from '../grants.ts'
import { NewAccounts } from '../new-accounts.ts'
import { SessionEnds } from '../session-ends.ts'

/** What the pages of the administration and the commands do: `world.app.get(Administration)`. */
export class Administration {
  readonly accounts: NewAccounts = inject(NewAccounts)
  readonly states: AccountStates = inject(AccountStates)
  readonly grants: Grants = inject(Grants)
  readonly sessions: SessionEnds = inject(SessionEnds)
  readonly resets: FactorResets = inject(FactorResets)
  readonly log: ActLog = inject(ActLog)
}
