/** One row for each API token that was not revoked. */
export interface ApiTokenTable {
  id: string
  account_id: string
  /** Name given by its owner. */
  name: string
  /** SHA-256 of the token; finds the row. Unique. */
  digest: string
  /** The first characters of the token, by which its owner recognizes it. */
  hint: string
  /** What the token was made for, separated by blanks as in RFC 6749 section 3.3. The account may have less by now. */
  scope: string
  /** Credential version of the account when the token was made or last confirmed. With another one it is suspended. */
  credential_version: number
  created_at: number
  /** The token ends at this second. */
  expires_at: number
  /** Last use, to within a minute; null before the first. */
  used_at: number | null
}

declare module '../../core/database/schema.ts' {
  interface Schema {
    api_token: ApiTokenTable
  }
}
