import { type Kysely, sql, type Transaction } from 'kysely'
import type { KeptCredentials } from './session-credentials.ts'

/** What a change of credentials starts from. */
export interface HeldCredentials<Tables> extends KeptCredentials {
  /**
   * Asks in the transaction of the change whether nothing has ended the session, or what stands for it. Default: nothing has.
   *
   * @param database The transaction.
   * @returns Whether it stands.
   */
  readonly stands?: ((database: Kysely<Tables>) => Promise<boolean>) | undefined
}

/**
 * The versions of the credentials of accounts. Each change of them raises the version, in the same transaction: whoever signed in with an
 * earlier one is signed out with the next request. The table of accounts has them: `id`, `credential_version` and `credential_mark`, the
 * mark of the session that raised it, or null when the change ended every session.
 */
export abstract class CredentialVersions<Tables> {
  readonly #accounts

  /** @param accounts Name of the table of accounts. */
  constructor(accounts: string) {
    this.#accounts = sql.table(accounts)
  }

  /**
   * Ends what was granted with the credentials. A change calls it in its transaction.
   *
   * @param transaction That of the change.
   * @param accountId Whose. Default: everybody's.
   */
  abstract endGranted(transaction: Transaction<Tables>, accountId?: string): Promise<void>

  /**
   * Raises a version, whatever it is.
   *
   * @param transaction That of the change.
   * @param accountId Whose; null for that of every account, which has to be said, since it signs everybody out.
   */
  async raise(transaction: Transaction<Tables>, accountId: string | null): Promise<void> {
    const whose = accountId === null ? sql`TRUE` : sql`id = ${accountId}`
    await sql`
      UPDATE ${this.#accounts} SET credential_version = credential_version + 1, credential_mark = NULL
      WHERE ${whose}`.execute(transaction)
    await this.endGranted(transaction, accountId ?? undefined)
  }

  /**
   * Raises a version from the one that a session was confirmed with, so of several changes at once one is made. The mark of the session is
   * kept with it: other requests in that session go on.
   *
   * @param transaction That of the change.
   * @param accountId Whose.
   * @param held What the session has kept.
   * @returns The new version; undefined when it was raised meanwhile, or the session has ended.
   */
  async advance(
    transaction: Transaction<Tables>,
    accountId: string,
    held: HeldCredentials<Tables>,
  ): Promise<number | undefined> {
    const { credentialVersion: from, mark = null } = held
    if ((await held.stands?.(transaction)) === false) return undefined
    const { numAffectedRows } = await sql`
      UPDATE ${this.#accounts} SET credential_version = ${from + 1}, credential_mark = ${mark}
      WHERE id = ${accountId} AND credential_version = ${from}`.execute(transaction)
    if (numAffectedRows !== 1n) return undefined
    await this.endGranted(transaction, accountId)
    return from + 1
  }

  /**
   * Says whether a session still has what it was confirmed with. Asked in the transaction of a change, which holds the write lock: whatever
   * else changes the account comes before this or after it.
   *
   * @param transaction That of the change.
   * @param accountId Whose.
   * @param held What the session has kept.
   * @returns Whether it has.
   */
  async confirm(
    transaction: Transaction<Tables>,
    accountId: string,
    held: HeldCredentials<Tables>,
  ): Promise<boolean> {
    const { credentialVersion: version, mark = '' } = held
    const { rows } = await sql`
      SELECT id FROM ${this.#accounts}
      WHERE id = ${accountId} AND (credential_version = ${version} OR credential_mark = ${mark})`.execute(
      transaction,
    )
    return rows.length > 0 && (await held.stands?.(transaction)) !== false
  }
}
