import type { Kysely } from 'kysely'
import type { Clock, Definitions } from 'sallyport'
import type { Schema } from './database/schema.ts'
import { AddressChange } from './identity/accounts/address-change.ts'
import { AddressRestore } from './identity/accounts/address-restore.ts'
import { NameChange } from './identity/accounts/name-change.ts'
import type { AuditTrail } from './identity/audit/audit-trail.ts'
import type { Attempts } from './identity/limits/attempts.ts'

/** What lets the owner of an account change who they are. */
export interface OwnerServices {
  /** Registers the services. */
  define(definitions: Definitions): void
}

/**
 * @param parts `database` of the accounts, the limits in `attempts`, the `audit` trail and the `clock`.
 * @returns The services of the profile.
 */
export function createOwnerServices(parts: {
  readonly database: Kysely<Schema>
  readonly attempts: Attempts
  readonly audit: AuditTrail
  readonly clock: Clock
}): OwnerServices {
  return {
    define: (definitions) => {
      definitions
        .set(NameChange, new NameChange(parts))
        .set(AddressChange, new AddressChange(parts))
        .set(AddressRestore, new AddressRestore(parts))
    },
  }
}
