import type { Kysely } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Settings } from '../../settings.ts'
import { Database } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import type { TrustedDeviceTable } from '../../database/trusted-device-table.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { type Device, parseDevice } from '../clients/device.ts'
import { type DeviceToken, deviceDigest } from './device-cookie.ts'
import type { DeviceOwner, DeviceRemover } from './device-owner.ts'
import { type TrustEnd, TrustEnds } from './trust-ends.ts'

/** How many browsers an account trusts. The next one takes the place of the oldest. */
export const MAX_TRUSTED_DEVICES = 10

/**
 * For how long after its use a replaced token is taken for that of a second tab, or of a browser that lost the response. It opens
 * no door then, either.
 */
export const PARALLEL_SECONDS = 60

const DAY_SECONDS = 24 * 60 * 60
/** A trusted browser as its owner sees it. Times are Unix timestamps in seconds. */
export interface TrustedDevice {
  /** Names it for {@link TrustedDevices.revoke}. */
  readonly id: string
  /** Browser and system. */
  readonly device: Device
  /** When it became trusted. */
  readonly trustedAt: number
  /** When it last replaced the second step; null when it never did. */
  readonly usedAt: number | null
  /** When that ends. */
  readonly endsAt: number
}

/** A use of a trusted browser, and the token that it replaced. Both are null before the first one. */
export interface FormerUse {
  /** When it was. */
  readonly usedAt: number | null
  /** Digest of the token. */
  readonly former: string | null
}

/**
 * What a token is worth: `replayed` is one that two clients have had, and told so now; `ended` is one whose row ended so before.
 */
export type Judgement =
  | { readonly kind: 'trusted'; readonly endsAt: number; readonly before: FormerUse }
  | { readonly kind: 'unknown' | 'replayed' | 'ended' }

/**
 * The browsers that an account does not ask for the second step: **off by default**. A row is bound to the account and to the
 * version of its credentials, so any change of these ends it, and its token is replaced by each use.
 *
 * Who shows a token that was replaced either copied it or had it copied, and knows the password: the row ends, the sessions that it
 * began are void in the same transaction, and the owner is told.
 * Within a minute after its use it may be a second tab, or a browser that never got the response. That one passes the second
 * door like any other, and alarms nobody. Behind the door the row ends that it cannot use any more, and with it the sessions that the row
 * began: if the response got lost, nobody is in them. Who shows the token of that response afterwards has copied the one before it.
 */
export class TrustedDevices {
  /** For how many days a browser is trusted; undefined in an installation without trusted browsers. */
  readonly days: number | undefined = inject(Settings).trustedDeviceDays
  readonly #database = inject(Database)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)
  /** Those whose sessions are void. */
  readonly ends: TrustEnds = inject(TrustEnds)

  /**
   * @param accountId Account reference.
   * @returns Its trusted browsers, the one that was trusted last first.
   */
  async list(accountId: string): Promise<readonly TrustedDevice[]> {
    const rows = await this.#database
      .selectFrom('trusted_device')
      .innerJoin('account', 'account.id', 'trusted_device.account_id')
      .selectAll('trusted_device')
      .where('trusted_device.account_id', '=', accountId)
      .whereRef('trusted_device.credential_version', '=', 'account.credential_version')
      .orderBy('trusted_at', 'desc')
      .orderBy('trusted_device.id', 'desc')
      .execute()
    return rows.flatMap((row) => {
      const endsAt = this.#expiryOf(row)
      if (endsAt === undefined) return []
      const { id, device, trusted_at: trustedAt, used_at: usedAt } = row
      return [{ id, device: parseDevice(device), trustedAt, usedAt, endsAt }]
    })
  }

  /**
   * Judges a token, of somebody who has just proven the password.
   *
   * @param owner Whose password it was.
   * @param token The token that the browser shows.
   * @returns What it is worth. One of another account is unknown.
   */
  async judge(owner: DeviceOwner, token: DeviceToken): Promise<Judgement> {
    const row = await this.#database
      .selectFrom('trusted_device')
      .selectAll()
      .where('id', '=', token.id)
      .where('account_id', '=', owner.accountId)
      .where('credential_version', '=', owner.credentialVersion)
      .executeTakeFirst()
    const endsAt = row === undefined ? undefined : this.#expiryOf(row)
    if (row === undefined) return { kind: await this.ends.judge(owner, token) }
    if (endsAt === undefined) return { kind: 'unknown' }
    const digest = deviceDigest(token)
    const { used_at: usedAt, former_digest: former } = row
    if (row.digest === digest) return { kind: 'trusted', endsAt, before: { usedAt, former } }
    // Nothing was used yet: it is made up.
    if (usedAt === null) return { kind: 'unknown' }
    const age = this.#clock.timestamp() - usedAt
    // A second tab shows the token that was used last. An older one was copied, however soon after another use it comes.
    if (digest === former && age >= 0 && age < PARALLEL_SECONDS) return { kind: 'unknown' }
    return { kind: (await this.#endReplayed(owner, token)) ? 'replayed' : 'unknown' }
  }

  /**
   * Replaces a token. The row count decides: of several uses of one token, one succeeds.
   *
   * @param database The transaction that records the login.
   * @param owner Whose password was proven.
   * @param tokens `from`: the token that was judged; `to`: the next one, of the same row.
   * @returns Whether this call replaced it.
   */
  async rotate(
    database: Kysely<Schema>,
    owner: DeviceOwner,
    { from, to }: { readonly from: DeviceToken; readonly to: DeviceToken },
  ): Promise<boolean> {
    const result = await database
      .updateTable('trusted_device')
      .set({
        digest: deviceDigest(to),
        former_digest: deviceDigest(from),
        used_at: this.#clock.timestamp(),
        device: owner.device,
      })
      .where('id', '=', from.id)
      .where('account_id', '=', owner.accountId)
      .where('digest', '=', deviceDigest(from))
      .where('credential_version', '=', owner.credentialVersion)
      .where('expires_at', '>', this.#clock.timestamp())
      .executeTakeFirst()
    return result.numUpdatedRows === 1n
  }

  /**
   * Takes the use of a token back, when nobody was given the next one. Where the trust has ended since, nothing happens.
   *
   * @param tokens As for `rotate()`; `before`: what the row said of the use before this one.
   */
  async takeBack({
    from,
    to,
    before,
  }: {
    readonly from: DeviceToken
    readonly to: DeviceToken
    readonly before: FormerUse
  }): Promise<void> {
    await this.#database
      .updateTable('trusted_device')
      .set({ digest: deviceDigest(from), former_digest: before.former, used_at: before.usedAt })
      .where('id', '=', to.id)
      .where('digest', '=', deviceDigest(to))
      .execute()
  }

  /**
   * Ends the trust in a browser that was never given its token.
   *
   * @param owner Whose browser it is.
   * @param to Its token.
   */
  forget(owner: DeviceOwner, to: DeviceToken): Promise<void> {
    return this.#database.transaction().execute(async (transaction) => {
      const result = await transaction
        .deleteFrom('trusted_device')
        .where('id', '=', to.id)
        .where('digest', '=', deviceDigest(to))
        .executeTakeFirst()
      if (result.numDeletedRows === 1n) await this.#record(AuditEvent.DeviceForgotten, owner, transaction)
    })
  }

  /**
   * Trusts a browser, in the place of what it was trusted with before.
   *
   * @param database The transaction that uses up the second proof.
   * @param owner Who proved it.
   * @param tokens `to`: the token of the browser; `from`: the one that it has now, if any, of this account or of another one.
   */
  async trust(
    database: Kysely<Schema>,
    owner: DeviceOwner,
    { from, to }: { readonly from: DeviceToken | undefined; readonly to: DeviceToken },
  ): Promise<void> {
    if (this.days === undefined) return
    if (from !== undefined) await this.#replace(database, owner, from)
    await this.#makeRoom(database, owner)
    const now = this.#clock.timestamp()
    const row = {
      id: to.id,
      account_id: owner.accountId,
      digest: deviceDigest(to),
      former_digest: null,
      credential_version: owner.credentialVersion,
      device: owner.device,
      trusted_at: now,
      used_at: null,
      expires_at: now + this.days * DAY_SECONDS,
    }
    await database.insertInto('trusted_device').values(row).execute()
    await this.#record(AuditEvent.DeviceTrusted, owner, database)
  }

  /**
   * Ends a row whose present token the browser does not have: it proved the second step with an older one. What began with the use
   * that replaced it is void.
   *
   * @param database The transaction that uses up the second proof.
   * @param owner Who proved it.
   * @param token The token that the browser shows.
   * @returns How the row ended; undefined when nothing began with it.
   */
  async settle(
    database: Kysely<Schema>,
    owner: DeviceOwner,
    token: DeviceToken,
  ): Promise<TrustEnd | undefined> {
    const row = await deleteReplaced(database, owner, token)
    if (row === undefined) return undefined
    if (row.used_at === null) {
      await this.#record(AuditEvent.DeviceForgotten, owner, database)
      return undefined
    }
    // Was the next one used as well, its response has reached somebody.
    if (row.former_digest === deviceDigest(token)) {
      await this.ends.record(database, owner, { id: token.id, unseen: row.digest })
      await this.#record(AuditEvent.DeviceForgotten, owner, database)
      return 'lost'
    }
    await this.ends.record(database, owner, { id: token.id, unseen: null })
    await this.#record(AuditEvent.DeviceReplayed, owner, database)
    return 'replayed'
  }

  /**
   * @param owner Who asks.
   * @param id A trusted browser.
   * @returns Whether the account had it.
   */
  revoke(owner: DeviceRemover, id: string): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const result = await transaction
        .deleteFrom('trusted_device')
        .where('id', '=', id)
        .where('account_id', '=', owner.accountId)
        .executeTakeFirst()
      if (result.numDeletedRows !== 1n) return false
      await this.#record(AuditEvent.DeviceRevoked, owner, transaction)
      return true
    })
  }

  /**
   * @param owner Who asks.
   * @returns Whether the account had any trusted browser.
   */
  revokeAll(owner: DeviceRemover): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const result = await transaction
        .deleteFrom('trusted_device')
        .where('account_id', '=', owner.accountId)
        .executeTakeFirst()
      if (result.numDeletedRows === 0n) return false
      await this.#record(AuditEvent.DevicesRevoked, owner, transaction)
      return true
    })
  }

  /**
   * Deletes what has ended. It may run at any time, and in several processes at once.
   *
   * @returns How many rows were deleted.
   */
  async deleteExpired(): Promise<number> {
    const now = this.#clock.timestamp()
    const result = await this.#database
      .deleteFrom('trusted_device')
      .where('expires_at', '<=', now)
      .executeTakeFirst()
    return Number(result.numDeletedRows) + (await this.ends.deleteExpired())
  }

  // An installation may have shortened the time since. Where the clock was set back, nothing dated in the future counts.
  #expiryOf(row: { readonly trusted_at: number; readonly expires_at: number }): number | undefined {
    const now = this.#clock.timestamp()
    const endsAt = Math.min(row.expires_at, row.trusted_at + (this.days ?? 0) * DAY_SECONDS)
    return row.trusted_at <= now && now < endsAt ? endsAt : undefined
  }

  // The row count decides: of several replays, one ends the row. Where it was used meanwhile, the next one does.
  #endReplayed(owner: DeviceOwner, token: DeviceToken): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      if ((await deleteReplaced(transaction, owner, token)) === undefined) return false
      await this.ends.record(transaction, owner, { id: token.id, unseen: null })
      await this.#record(AuditEvent.DeviceReplayed, owner, transaction)
      return true
    })
  }

  // What this browser has is out of its reach from now on. Of another account only what it could use.
  async #replace(database: Kysely<Schema>, owner: DeviceOwner, from: DeviceToken): Promise<void> {
    const row = await database
      .deleteFrom('trusted_device')
      .where('id', '=', from.id)
      .where((where) =>
        where.or([where('account_id', '=', owner.accountId), where('digest', '=', deviceDigest(from))]),
      )
      .returning('account_id')
      .executeTakeFirst()
    if (row === undefined) return
    await this.#record(AuditEvent.DeviceForgotten, { ...owner, accountId: row.account_id }, database)
  }

  async #makeRoom(database: Kysely<Schema>, owner: DeviceOwner): Promise<void> {
    const rows = await database
      .selectFrom('trusted_device')
      .select('id')
      .where('account_id', '=', owner.accountId)
      .orderBy('trusted_at')
      .orderBy('id')
      .execute()
    for (const { id } of rows.slice(0, Math.max(0, rows.length - MAX_TRUSTED_DEVICES + 1))) {
      await database.deleteFrom('trusted_device').where('id', '=', id).execute()
      await this.#record(AuditEvent.DeviceForgotten, owner, database)
    }
  }

  #record(kind: AuditEvent, owner: DeviceRemover, database: Kysely<Schema>): Promise<void> {
    const { accountId, clientAddress, device } = owner
    return this.#audit.record({ kind, accountId, clientAddress, device }, database)
  }
}

// The row of a token that another one has replaced. Of several callers, one deletes it.
function deleteReplaced(
  database: Kysely<Schema>,
  owner: DeviceOwner,
  token: DeviceToken,
): Promise<Pick<TrustedDeviceTable, 'digest' | 'former_digest' | 'used_at'> | undefined> {
  return database
    .deleteFrom('trusted_device')
    .where('id', '=', token.id)
    .where('account_id', '=', owner.accountId)
    .where('digest', '<>', deviceDigest(token))
    .returning(['digest', 'former_digest', 'used_at'])
    .executeTakeFirst()
}
