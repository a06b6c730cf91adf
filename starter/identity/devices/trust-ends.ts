import type { Kysely } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Database } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { type DeviceToken, deviceDigest } from './device-cookie.ts'
import type { DeviceOwner } from './device-owner.ts'

// As long as a browser may keep the cookie, and longer than any session.
const KEPT_SECONDS = 90 * 24 * 60 * 60

/**
 * How a trust ended whose token was replaced by a use of somebody else: `replayed` when two clients have had its tokens, `lost` when
 * the response to that use may have got lost. The sessions that it began are void in both cases.
 */
export type TrustEnd = 'replayed' | 'lost'

/** Trusted browsers that have ended, and whose sessions are void. */
export class TrustEnds {
  readonly #database = inject(Database)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)

  /**
   * @param accountId Account reference.
   * @param id A trusted browser of the account, which may have ended.
   * @returns Why the sessions that it began are void; undefined when they are not.
   */
  async of(accountId: string, id: string): Promise<TrustEnd | undefined> {
    const row = await this.#find(accountId, id)
    if (row === undefined) return undefined
    return row.unseen_digest === null ? 'replayed' : 'lost'
  }

  /**
   * Judges a token whose trust has ended, of somebody who has just proven the password. The row count decides: of several uses of a
   * token that nobody should have, one is told.
   *
   * @param owner Whose password it was.
   * @param token The token that the browser shows.
   * @returns `replayed` for the token of a response that was taken for lost; `ended` for any of a trust that is known to have been
   * copied; else `unknown`.
   */
  async judge(owner: DeviceOwner, token: DeviceToken): Promise<'unknown' | 'replayed' | 'ended'> {
    const end = await this.#find(owner.accountId, token.id)
    if (end === undefined) return 'unknown'
    if (end.unseen_digest === null) return 'ended'
    const digest = deviceDigest(token)
    if (end.unseen_digest !== digest) return 'unknown'
    return this.#database.transaction().execute(async (transaction) => {
      const seen = await transaction
        .updateTable('trusted_device_end')
        .set({ unseen_digest: null })
        .where('device_id', '=', token.id)
        .where('unseen_digest', '=', digest)
        .executeTakeFirst()
      if (seen.numUpdatedRows !== 1n) return 'ended'
      const { accountId, clientAddress, device } = owner
      const entry = { kind: AuditEvent.DeviceReplayed, accountId, clientAddress, device }
      await this.#audit.record(entry, transaction)
      return 'replayed'
    })
  }

  /**
   * Makes the sessions void that a trust began, also where the store of sessions fails, and one that a login under way writes later.
   *
   * @param database The transaction that ends the trust.
   * @param owner Whose browser it is.
   * @param end `id`: identifier of the trusted browser; `unseen`: digest of the token whose response is taken for lost, null for a trust
   * that is known to have been copied.
   */
  async record(
    database: Kysely<Schema>,
    { accountId }: DeviceOwner,
    { id, unseen }: { readonly id: string; readonly unseen: string | null },
  ): Promise<void> {
    const expiresAt = this.#clock.timestamp() + KEPT_SECONDS
    const row = { device_id: id, account_id: accountId, unseen_digest: unseen, expires_at: expiresAt }
    await database.insertInto('trusted_device_end').values(row).execute()
  }

  /**
   * Deletes what no session of can be left. It may run at any time, and in several processes at once.
   *
   * @returns How many rows were deleted.
   */
  async deleteExpired(): Promise<number> {
    const result = await this.#database
      .deleteFrom('trusted_device_end')
      .where('expires_at', '<=', this.#clock.timestamp())
      .executeTakeFirst()
    return Number(result.numDeletedRows)
  }

  #find(accountId: string, id: string): Promise<{ readonly unseen_digest: string | null } | undefined> {
    return this.#database
      .selectFrom('trusted_device_end')
      .select('unseen_digest')
      .where('device_id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
  }
}
