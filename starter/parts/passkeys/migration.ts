import type { Statement } from 'sallyport-app/database'
import { challengeTables } from 'sallyport-app/webauthn'

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
