import type { Kysely } from 'kysely'
import type { Definitions } from 'sallyport'
import type { Schema } from './database/schema.ts'
import { NameChange } from './identity/accounts/name-change.ts'
import type { AuditTrail } from './identity/audit/audit-trail.ts'

/** What lets the owner of an account change who they are. */
export interface OwnerServices {
  /** Registers the services. */
  define(definitions: Definitions): void
}

/**
 * @param parts `database` of the accounts and the `audit` trail.
 * @returns The services of the profile.
 */
export function createOwnerServices(parts: {
  readonly database: Kysely<Schema>
  readonly audit: AuditTrail
}): OwnerServices {
  return {
    define: (definitions) => {
      definitions.set(NameChange, new NameChange(parts))
    },
  }
}
