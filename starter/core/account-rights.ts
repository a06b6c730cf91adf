import type { Account } from './accounts/account.ts'

/** An account and what it may do: what rules are about. */
export interface AccountRights {
  readonly principal: Account
  /** Names of its permissions. */
  readonly permissions: readonly string[]
}
