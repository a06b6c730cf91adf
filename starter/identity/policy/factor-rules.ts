import type { HeldKind } from '../factors/factor-kinds.ts'
import { Permission } from '../accounts/permission.ts'

const DAY_SECONDS = 24 * 60 * 60

/** Who must hold a second factor, from when, and which. */
export interface FactorRule {
  /** The rule is for accounts with this permission; `everyone` for all accounts. */
  readonly holders: string
  /** Unix timestamp from which the rule is enforced. */
  readonly from: number
  /** How long an account has from the first login under the rule on, in seconds. The deadline that follows is fixed once. */
  readonly graceSeconds: number
  /** Kinds that fulfil the rule. */
  readonly kinds: readonly HeldKind[]
}

/** Holders of a rule for all accounts. */
export const EVERYONE = 'everyone'

/** The rules of this application: who administers others holds a factor of any kind after two weeks. */
export const FACTOR_RULES: readonly FactorRule[] = [
  {
    holders: Permission.AdminAccess,
    from: Date.UTC(2026, 0, 1) / 1000,
    graceSeconds: 14 * DAY_SECONDS,
    kinds: ['totp', 'hotp', 'passkey'],
  },
]
