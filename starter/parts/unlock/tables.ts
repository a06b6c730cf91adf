/** One row for each lock of a factor, with the link in the mail that tells it, for a day. */
export interface FactorUnlockTable {
  /** Digest of the token in the link. */
  digest: string
  /** Identifier under which the tries of the unlocked browser are counted. */
  id: string
  account_id: string
  /** Credential version of the account at the lock: any change of credentials ends the link. */
  credential_version: number
  /** The factor that was locked: its identifier, or the kind where it has none. */
  factor: string
  created_at: number
  expires_at: number
  used_at: number | null
  /** When its owner was told that it could not be used, or that its tries were spent; null before. */
  failed_at: number | null
}

declare module '../../database/schema.ts' {
  interface Schema {
    factor_unlock: FactorUnlockTable
  }
}
