import type { FactorReplacement } from './factor-replacement.ts'
import type { FactorDemands, FactorRule } from './factor-demands.ts'
import type { SecondFactorKind } from './factor-kinds.ts'
import type { LockLinks } from './lock-links.ts'

/** What a part gives the core of second factors. */
export interface PartFactors {
  /** Kinds of second factors, or of what stands in for one. Default: none. */
  readonly factorKinds?: readonly SecondFactorKind[]
  /** Says which accounts must hold a second factor. Default: none must. */
  readonly demands?: new () => FactorDemands
  /** Rules about that, for the part that knows rules, where the settings name none. Default: none. */
  readonly factorRules?: readonly FactorRule[]
  /**
   * Route of the page that leads on somebody who has no factor at hand, after the password. An account that must set up its first factor
   * comes here, too, if its password came by mail. Default: nobody gets in without one.
   */
  readonly lostFactors?: string
  /** What allows a new factor in the place of all others. Default: nothing does. */
  readonly factorReplacement?: new () => FactorReplacement
  /** Leads the owner of a locked factor on. Default: the lock ends with its time. */
  readonly lockLinks?: new () => LockLinks
}
