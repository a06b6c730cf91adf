import type { Transaction } from 'kysely'
import type { AccountRights } from '../account-rights.ts'
import type { Schema } from '../database/schema.ts'
import type { HeldKind } from './factor-kinds.ts'

/** A second factor that an account must hold. */
export interface FactorDemand {
  readonly from: number
  readonly kinds: readonly HeldKind[]
  /** Fixes, for an account without such a factor, when a login needs one, as a Unix timestamp. Default: as `from` says. */
  readonly fix?: () => Promise<number>
}

/** Says which accounts must hold a second factor: a service. By default none must. */
export interface FactorDemands {
  readonly holders?: readonly string[]
  /** @returns What it must hold, whether or not it does. */
  of?(identity: AccountRights): readonly FactorDemand[]
  /** @returns What it must hold because it holds none. */
  ofNone?(accountId: string): Promise<readonly FactorDemand[]>
  /** Notes that the account holds a factor from now on. */
  fulfilled?(transaction: Transaction<Schema>, accountId: string): Promise<void>
}

/** Who must hold a second factor, from when, and which. */
export interface FactorRule {
  /** The rule is for accounts with this permission; `everyone` for all accounts. */
  readonly holders: string
  /** Unix timestamp from which the rule is enforced. */
  readonly from: number
  /** How long an account has from the first login under the rule on, in seconds. The deadline that follows is fixed once. */
  readonly graceSeconds: number
  /** Kinds that fulfil the rule. Default: any. */
  readonly kinds?: readonly HeldKind[]
}
