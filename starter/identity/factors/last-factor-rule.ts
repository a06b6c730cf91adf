/** Says who may do without a second factor. */
export interface LastFactorRule {
  /**
   * @param accountId Account reference.
   * @returns Whether its owner may remove the last factor.
   */
  mayRemoveLastFactor(accountId: string): Promise<boolean>
}
