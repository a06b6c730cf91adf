/** Something that is under way with an account, and ends at a time. */
export interface AccountCondition {
  readonly accountId: string
  /** What it is: the page of the account has the message `admin.condition.<kind>`. */
  readonly kind: string
  /** What marks it in a list of accounts, such as `deletion`: the message `admin.mark.<mark>`. */
  readonly mark: string
  /** Unix timestamp: from then on the account is erased, or else it is over. */
  readonly until: number
}
