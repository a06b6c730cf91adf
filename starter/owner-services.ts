import type { Kysely } from 'kysely'
import type { Clock, Definitions } from 'sallyport'
import type { Schema } from './database/schema.ts'
import { AddressChange } from './identity/accounts/address-change.ts'
import { AddressRestore } from './identity/accounts/address-restore.ts'
import { NameChange } from './identity/accounts/name-change.ts'
import type { AuditTrail } from './identity/audit/audit-trail.ts'
import { AccountDeletion } from './identity/deletion/account-deletion.ts'
import { TrustedDevices } from './identity/devices/trusted-devices.ts'
import { Erasure } from './identity/deletion/erasure.ts'
import type { Attempts } from './identity/limits/attempts.ts'
import type { Mails } from './identity/mail/mails.ts'
import { Leftovers } from './identity/deletion/leftovers.ts'
import { Reminders } from './identity/mail/reminders.ts'

/** What lets the owner of an account change who they are. */
export interface OwnerServices {
  /** Deletions, which a login stops. */
  readonly deletions: AccountDeletion
  /** Erases accounts that are due. */
  readonly erasure: Erasure
  /** The browsers that accounts trust. */
  readonly devices: TrustedDevices
  /** Mails that are sent when a time has come. */
  readonly reminders: Reminders
  /** Deletes what has ended long ago. */
  readonly leftovers: Leftovers
  /** Registers the services. */
  define(definitions: Definitions): void
}

/**
 * @param parts `database` of the accounts, the limits in `attempts`, the `audit` trail, the `mails`, the `clock`, and for how many
 *   days a browser is trusted, if any is.
 * @returns The services of the profile.
 */
export function createOwnerServices(parts: {
  readonly database: Kysely<Schema>
  readonly attempts: Attempts
  readonly audit: AuditTrail
  readonly mails: Mails
  readonly clock: Clock
  readonly trustedDeviceDays?: number | undefined
}): OwnerServices {
  const deletions = new AccountDeletion(parts)
  const devices = new TrustedDevices(parts, parts.trustedDeviceDays)
  return {
    deletions,
    devices,
    erasure: new Erasure(parts),
    reminders: new Reminders(parts),
    leftovers: new Leftovers(parts),
    define: (definitions) => {
      definitions
        .set(NameChange, new NameChange(parts))
        .set(AddressChange, new AddressChange(parts))
        .set(AddressRestore, new AddressRestore(parts))
        .set(AccountDeletion, deletions)
        .set(TrustedDevices, devices)
    },
  }
}
