import type { Transaction } from 'kysely'
import { inject } from 'sallyport'
import { CredentialVersions as AnyVersions, type HeldCredentials as AnyHeld } from 'sallyport-app/sessions'
import type { Schema } from '../database/schema.ts'
import { Parts } from '../part.ts'

/** What a session has kept of the credentials of its account. */
export type HeldCredentials = AnyHeld<Schema>

/**
 * The versions of the credentials of accounts. Each change of password, factors or address, each recovery, reset and "end all sessions"
 * raises the version, in the same transaction: whoever signed in with an earlier one is signed out with the next request, every pending
 * login ends, and so does what was granted with the credentials.
 */
export class CredentialVersions extends AnyVersions<Schema> {
  readonly #parts = inject(Parts)

  constructor() {
    super('account')
  }

  /** Ends what parts have granted with the credentials of the account, or of every account. A recovery code does it, too. */
  override async endGranted(transaction: Transaction<Schema>, accountId?: string): Promise<void> {
    for (const part of this.#parts.all) await part.credentialsChanged?.(transaction, accountId)
  }
}
