import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { parseDevice } from 'sallyport-app/clients'
import type { SessionOwner } from 'sallyport-app/sessions'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import { CredentialVersions } from '../../core/accounts/credential-version.ts'
import { type AuditEvent, AuditTrail } from '../../core/audit/audit-trail.ts'
import { deviceMessage } from '../../core/clients/client-messages.ts'
import { Notices } from '../../core/mail/notices.ts'
import { Settings } from '../../core/settings.ts'
import { idOf, tokenDigest } from './browser-token.ts'
import type { TrustedBrowserTable } from './tables.ts'

/** How many browsers an account trusts. The next one takes the place of the oldest. */
export const MAX_TRUSTED_BROWSERS = 10

const DAY_SECONDS = 24 * 60 * 60

/** Somebody who signs in. */
export interface ProvenOwner extends SessionOwner {
  /** Version of the credentials that were proven. */
  readonly credentialVersion: number
}

/**
 * The browsers that an account does not ask for the second step: **off by default**. A row is bound to the account and to the
 * version of its credentials, and its token is replaced by each use. A token that is used a second time ends the trust and every session
 * of the account: of the two who used it, one has copied it.
 */
export class TrustedBrowsers {
  /** For how many days a browser is trusted; undefined in an installation without trusted browsers. */
  readonly days: number | undefined = inject(Settings).trustedDeviceDays
  /** The same in seconds. */
  readonly seconds: number = (this.days ?? 0) * DAY_SECONDS
  readonly #database = inject(Database)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #versions = inject(CredentialVersions)
  readonly #clock = inject(Clock)

  /** @returns Its trusted browsers, the one that was trusted last first. */
  list(accountId: string): Promise<readonly TrustedBrowserTable[]> {
    return this.#database
      .selectFrom('trusted_browser')
      .selectAll()
      .where('account_id', '=', accountId)
      .where(this.#isLive())
      .orderBy('trusted_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
  }

  /**
   * Uses a token up, of somebody who has just proven the password. The row count decides: of several uses of one token, one succeeds,
   * and the next one ends the trust.
   *
   * @param tokens `from`: the token that the browser shows; `to`: the next one, of the same row.
   * @returns When the trust ends, as a Unix timestamp in seconds; `copied` for a token that another one has replaced, `unknown` for any
   *   other.
   */
  async use(
    transaction: Transaction<Schema>,
    owner: ProvenOwner,
    { from, to }: { readonly from: string; readonly to: string },
  ): Promise<number | 'copied' | 'unknown'> {
    const now = this.#clock.timestamp()
    const row = transaction
      .updateTable('trusted_browser')
      .where('id', '=', idOf(from))
      .where('account_id', '=', owner.accountId)
      .where('credential_version', '=', owner.credentialVersion)
      .where(this.#isLive())
    const used = await row
      .set({ digest: tokenDigest(to), used_at: now, device: owner.device })
      .where('digest', '=', tokenDigest(from))
      .returning('expires_at')
      .executeTakeFirst()
    if (used !== undefined) return used.expires_at
    // It ends, and with the credentials every other one.
    const copied = await row.set({ expires_at: now }).executeTakeFirst()
    if (copied.numUpdatedRows !== 1n) return 'unknown'
    await this.#versions.raise(transaction, owner.accountId)
    await this.#record('device-replayed', owner, transaction)
    const values = { device: deviceMessage(parseDevice(owner.device)) }
    await this.#notices.tell({ kind: 'device-replayed', accountId: owner.accountId, values }, transaction)
    return 'copied'
  }

  /**
   * Trusts a browser, in the place of what it was trusted with before.
   *
   * @param tokens `to`: the token of the browser; `from`: the one that it has now, if any, of this account or of another one.
   */
  async trust(
    transaction: Transaction<Schema>,
    owner: ProvenOwner,
    { from = '', to }: { readonly from: string | undefined; readonly to: string },
  ): Promise<void> {
    const { accountId: account_id, credentialVersion: credential_version, device } = owner
    const now = this.#clock.timestamp()
    await sql`
      DELETE FROM trusted_browser WHERE id = ${idOf(from)} AND digest = ${tokenDigest(from)}
        OR account_id = ${account_id} AND id NOT IN (
          SELECT id FROM trusted_browser WHERE account_id = ${account_id}
          ORDER BY trusted_at DESC, id DESC LIMIT ${MAX_TRUSTED_BROWSERS - 1}
        )`.execute(transaction)
    const row = { id: idOf(to), account_id, digest: tokenDigest(to), credential_version, device }
    const until = now + this.seconds
    await transaction
      .insertInto('trusted_browser')
      .values({ ...row, trusted_at: now, expires_at: until })
      .execute()
    await this.#record('device-trusted', owner, transaction)
    const values = { device: deviceMessage(parseDevice(device)), until: { at: until } }
    await this.#notices.tell({ kind: 'device-trusted', accountId: account_id, values }, transaction)
  }

  /**
   * @param id A trusted browser. Default: all of the account.
   * @returns Whether the account had it, or any.
   */
  revoke(owner: SessionOwner, id?: string): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      if ((await endTrust(transaction, owner.accountId, id)) === 0n) return false
      await this.#record(id === undefined ? 'devices-revoked' : 'device-revoked', owner, transaction)
      return true
    })
  }

  // An installation may have shortened the time since. Where the clock was set back, nothing dated in the future counts.
  #isLive(): RawBuilder<boolean> {
    const now = this.#clock.timestamp()
    return sql<boolean>`(expires_at > ${now} AND trusted_at <= ${now} AND trusted_at > ${now - this.seconds})`
  }

  #record(kind: AuditEvent, owner: SessionOwner, transaction: Transaction<Schema>): Promise<void> {
    const { accountId, clientAddress, device } = owner
    const entry = { kind, accountId, clientAddress, device }
    return this.#audit.record(kind === 'device-replayed' ? { ...entry, isAlarm: true } : entry, transaction)
  }
}

/**
 * Ends the trust in browsers.
 *
 * @param accountId Account reference. Default: every account.
 * @param id Identifier of a browser. Default: all of them.
 * @returns How many were trusted.
 */
export async function endTrust(
  database: Kysely<Schema>,
  accountId: string | undefined,
  id?: string,
): Promise<bigint> {
  const result = await database
    .deleteFrom('trusted_browser')
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .executeTakeFirst()
  return result.numDeletedRows
}
