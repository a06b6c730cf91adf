import type { Kysely, Transaction } from 'kysely'
import { inject } from 'sallyport'
import type { KeptCredentials } from 'sallyport-app/sessions'
import type { Schema } from '../database/schema.ts'
import { Parts } from '../part.ts'

/** What a change of credentials starts from: what the session or the enrollment has kept of them. */
export interface HeldCredentials extends KeptCredentials {
  /** Asks in the transaction of the change whether nothing has ended the session, or the enrollment. Default: nothing has. */
  readonly stands?: ((database: Kysely<Schema>) => Promise<boolean>) | undefined
}

/**
 * The versions of the credentials of accounts. Each change of password, factors or address, each recovery, reset and "end all sessions"
 * raises the version, in the same transaction: whoever signed in with an earlier one is signed out with the next request, every pending
 * login ends, and so does what was granted with the credentials.
 */
export class CredentialVersions {
  readonly #parts = inject(Parts)

  /** Raises that of the account; null for that of every account, which has to be said, since it signs everybody out. */
  async raise(transaction: Transaction<Schema>, accountId: string | null): Promise<void> {
    await transaction
      .updateTable('account')
      .set((update) => ({ credential_version: update('credential_version', '+', 1), credential_mark: null }))
      .$if(accountId !== null, (query) => query.where('id', '=', accountId ?? ''))
      .execute()
    await this.endGranted(transaction, accountId ?? undefined)
  }

  /**
   * Raises the version from the one that a session was confirmed with, so of several changes at once one is made. The mark of the session
   * is kept with it: other requests in that session go on. Undefined when it was raised meanwhile, or the session or enrollment has ended.
   */
  async advance(
    transaction: Transaction<Schema>,
    accountId: string,
    { credentialVersion: from, mark, stands }: HeldCredentials,
  ): Promise<number | undefined> {
    if (stands !== undefined && !(await stands(transaction))) return undefined
    const row = await transaction
      .updateTable('account')
      .set({ credential_version: from + 1, credential_mark: mark ?? null })
      .where('id', '=', accountId)
      .where('credential_version', '=', from)
      .returning('credential_version')
      .executeTakeFirst()
    if (row !== undefined) await this.endGranted(transaction, accountId)
    return row?.credential_version
  }

  /** Ends what parts have granted with the credentials of the account, or of every account. A recovery code does it, too. */
  async endGranted(transaction: Transaction<Schema>, accountId?: string): Promise<void> {
    for (const part of this.#parts.all) await part.credentialsChanged?.(transaction, accountId)
  }
}

/**
 * @returns Whether a session still has what it was confirmed with. Asked in the transaction of a change, which holds the write lock: whatever
 *   else changes the account comes before this or after it.
 */
export async function confirmCredentials(
  transaction: Transaction<Schema>,
  accountId: string,
  { credentialVersion: version, mark = '', stands }: HeldCredentials,
): Promise<boolean> {
  const account = await transaction
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where((where) =>
      where.or([where('credential_version', '=', version), where('credential_mark', '=', mark)]),
    )
    .executeTakeFirst()
  return account !== undefined && (await stands?.(transaction)) !== false
}
