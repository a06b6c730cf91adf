import type { Kysely } from 'kysely'
import { inject } from 'sallyport'
import { Parts } from '../part.ts'
import type { Schema } from '../database/schema.ts'
import { type NamedSession, stillStands } from './ended-sessions.ts'

/** What a session has kept of the credentials of its account. */
export interface HeldCredentials extends NamedSession {
  /** The version that it was begun or confirmed with. */
  readonly credentialVersion: number
  /** What the session is known by, so that a change that it makes does not end it. Default: the change ends every session. */
  readonly mark?: string | undefined
  /**
   * Asks again, in the transaction of the change, whether the enrollment still stands: another request may have ended it since this one
   * began. Default: it does.
   */
  readonly stands?: (database: Kysely<Schema>) => Promise<boolean>
}

/**
 * The versions of the credentials of accounts. Each change of password, factors or address, each recovery, reset and "end all sessions"
 * raises the version, in the same transaction: whoever signed in with an earlier one is signed out with the next request, every pending
 * login ends, and so does what was granted with the credentials.
 */
export class CredentialVersions {
  readonly #parts = inject(Parts)

  /** @returns The new version; undefined for an unknown account. */
  async raise(database: Kysely<Schema>, accountId: string): Promise<number | undefined> {
    const row = await database
      .updateTable('account')
      .set((update) => ({ credential_version: update('credential_version', '+', 1), credential_mark: null }))
      .where('id', '=', accountId)
      .returning('credential_version')
      .executeTakeFirst()
    if (row !== undefined) await this.endGranted(database, accountId)
    return row?.credential_version
  }

  /** Raises that of every account. */
  async raiseAll(database: Kysely<Schema>): Promise<void> {
    await database
      .updateTable('account')
      .set((update) => ({ credential_version: update('credential_version', '+', 1) }))
      .execute()
    await this.endGranted(database)
  }

  /**
   * Raises the version from the one that a session was confirmed with: a change that began before something else ended that session is
   * not made. The row count decides, so of several changes at once one is made.
   *
   * The mark of the session is kept with the version: until the session is written, another request in it finds a version that it
   * does not know, and must not end the session because of it.
   *
   * @returns The new version; undefined when it has been raised meanwhile, or the session or the enrollment has ended.
   */
  async advance(
    database: Kysely<Schema>,
    accountId: string,
    { credentialVersion: from, mark, handle, stands }: HeldCredentials,
  ): Promise<number | undefined> {
    if (stands !== undefined && !(await stands(database))) return undefined
    const row = await database
      .updateTable('account')
      .set({ credential_version: from + 1, credential_mark: mark ?? null })
      .where('id', '=', accountId)
      .where('credential_version', '=', from)
      .where(stillStands({ handle }))
      .returning('credential_version')
      .executeTakeFirst()
    if (row !== undefined) await this.endGranted(database, accountId)
    return row?.credential_version
  }

  /**
   * Ends what parts have granted with the credentials. A change of these does it; so does a recovery code, which may be used because
   * something was lost.
   *
   * @param accountId Account reference. Default: every account.
   */
  async endGranted(database: Kysely<Schema>, accountId?: string): Promise<void> {
    for (const part of this.#parts.all) await part.credentialsChanged?.(database, accountId)
  }
}

/**
 * Asks whether a session still has what it was confirmed with, and takes the write lock: whatever else changes the account comes before
 * this or after it.
 *
 * @returns Whether nothing has ended the session.
 */
export async function confirmCredentials(
  database: Kysely<Schema>,
  accountId: string,
  { credentialVersion: version, mark = '', handle }: HeldCredentials,
): Promise<boolean> {
  const result = await database
    .updateTable('account')
    .set((update) => ({ credential_version: update.ref('credential_version') }))
    .where('id', '=', accountId)
    .where((where) =>
      where.or([where('credential_version', '=', version), where('credential_mark', '=', mark)]),
    )
    .where(stillStands({ handle }))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
