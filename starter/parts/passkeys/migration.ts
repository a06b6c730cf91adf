import type { Statement } from 'sallyport-app/database'
import { type ChallengeTables, challengeTables } from 'sallyport-app/webauthn'

/** Passkeys, and the challenges that were used. */
export const migration: readonly Statement[] = [
  `CREATE TABLE passkey (
    id TEXT PRIMARY KEY REFERENCES factor (id) ON DELETE CASCADE,
    credential_id TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL,
    resident TEXT NOT NULL CHECK (resident IN ('yes', 'no', 'unknown'))
  ) STRICT`,
  ...challengeTables,
]

/** One row for each passkey or security key, beside its row as a factor. */
interface PasskeyTable {
  id: string
  /** Identifier that the authenticator gave it, in base64url. Unique over all accounts. */
  credential_id: string
  /** Its public key as COSE, in base64url. It is no secret. */
  public_key: string
  /** How often the authenticator says that it was used; 0 for one that does not count. */
  counter: number
  /** How browsers reach it, separated by commas; may be empty. */
  transports: string
  /** Whether the authenticator lists it by itself, as its browser said. Only then it signs in without an address. */
  resident: 'yes' | 'no' | 'unknown'
}

declare module '../../core/database/schema.ts' {
  interface Schema extends ChallengeTables {
    passkey: PasskeyTable
  }
}
