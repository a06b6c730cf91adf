/** One row for each browser that an account does not ask for the second step. */
export interface TrustedDeviceTable {
  /** First half of the cookie, and how pages name the row. */
  id: string
  account_id: string
  /** Digest of the cookie. Each use replaces it. */
  digest: string
  /** Digest of the cookie before it; null before the first use. */
  former_digest: string | null
  /** Credential version of the account when it became trusted: any change of credentials ends it. */
  credential_version: number
  /** Browser and system by name. */
  device: string
  trusted_at: number
  /** When it last replaced the second step, which is when its cookie was replaced; null before the first time. */
  used_at: number | null
  expires_at: number
}

/**
 * One row for each trust that ended because its token was replaced by a use of somebody else. The sessions that began with it are
 * void.
 */
export interface TrustedDeviceEndTable {
  /** Identifier of the row that was deleted. */
  device_id: string
  account_id: string
  /** Digest of the token whose response is taken for lost: nobody should have it. Null once two clients have shown tokens of this trust. */
  unseen_digest: string | null
  /** From then on no session of it can be left, and its row is deleted. */
  expires_at: number
}
