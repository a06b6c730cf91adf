/** One row for each browser that an account does not ask for the second step. */
export interface TrustedBrowserTable {
  /** First half of the cookie, and how pages name the row. */
  id: string
  account_id: string
  /** Digest of the cookie. Each use replaces it. */
  digest: string
  /** Credential version of the account when it became trusted: any change of credentials ends it. */
  credential_version: number
  /** Browser and system by name. */
  device: string
  trusted_at: number
  /** When it last replaced the second step; null before the first time. */
  used_at: number | null
  expires_at: number
}

declare module '../../core/database/schema.ts' {
  interface Schema {
    trusted_browser: TrustedBrowserTable
  }
}
