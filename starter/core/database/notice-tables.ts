/** One row for each network and device that an account was signed in from, until 400 days after the last time. */
export interface KnownClientTable {
  account_id: string
  /** Empty for an unknown address. */
  network: string
  device: string
  seen_at: number
  /** 0 as long as the owner of the account was not told of an unusual sign-in. */
  told: number
}
