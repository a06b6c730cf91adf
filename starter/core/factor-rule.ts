import type { HeldKind } from './factors/factor-kinds.ts'

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

/** Holders of a rule for all accounts. */
export const EVERYONE = 'everyone'
