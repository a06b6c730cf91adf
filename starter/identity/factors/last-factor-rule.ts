import type { FactorKind } from './factor-kinds.ts'

/** Says who may do without a second factor, and without one of a kind. */
export interface LastFactorRule {
  /**
   * @param accountId Account reference.
   * @returns Whether its owner may remove the last factor.
   */
  mayRemoveLastFactor(accountId: string): Promise<boolean>

  /**
   * @param accountId Account reference.
   * @param kinds Kinds of the factors that would be left, at least one.
   * @returns Whether they fulfill every rule that all of its factors fulfill now.
   */
  mayDoWith(accountId: string, kinds: ReadonlySet<FactorKind>): Promise<boolean>
}
