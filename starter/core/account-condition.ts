/** Something that is under way with an account, and ends at a time. */
export interface AccountCondition {
  /** Account reference. */
  readonly accountId: string
  /** What it is: the page of the account has the message `admin.condition.<kind>`. */
  readonly kind: string
  /** What marks it in a list of accounts, such as `lock`: the message `admin.mark.<mark>`. */
  readonly mark: string
  /** Unix timestamp: from then on the account is erased, or else it is over. */
  readonly until: number
  /** Name of what it is about, such as the locked authenticator; empty for none. */
  readonly label: string
}
