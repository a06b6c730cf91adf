/** One row for each mail with a link "this was not me", until the link is used or too old. */
export interface ObjectionTable {
  /** Digest of the token in the link. */
  digest: string
  account_id: string
  expires_at: number
}
