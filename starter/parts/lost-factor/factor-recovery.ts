import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { isLive, orderedId } from 'sallyport-app/database'
import type { Client } from 'sallyport-app/clients'
import { Attempts, Limit } from 'sallyport-app/limits'
import { linkDigest } from 'sallyport-app/mail'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import type { Account } from '../../core/accounts/account.ts'
import { Users } from '../../core/accounts/users.ts'
import { type AuditEntry, AuditTrail } from '../../core/audit/audit-trail.ts'
import type { WriteMail } from '../../core/mail/mails.ts'
import { Notices } from '../../core/mail/notices.ts'
import {
  createLink,
  endExpired,
  endOutdated,
  hasPresentVersion,
  lastStop,
  openOf,
  type OpenRecovery,
  stopOpen,
} from './recovery-rows.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR

/** Requests to replace lost factors of one account: each sends a mail. */
export const LOST_FACTOR_LIMIT: Limit = new Limit('lost-factor', 5, { windowSeconds: 12 * HOUR })

/** How long the link of the first mail can be used. */
export const RECOVERY_CONFIRM_SECONDS: number = 30 * 60
/** The waiting time: long enough to come back from a weekend to a mailbox, or to a browser that is signed in. */
export const RECOVERY_WAIT_SECONDS: number = 72 * HOUR
/** The waiting time after a password was set by a link in a mail: password and mailbox are then one proof, not two. */
export const RECOVERY_LONG_WAIT_SECONDS: number = 14 * DAY
/** How long a new factor can be set up after the waiting time. */
export const RECOVERY_OPEN_SECONDS: number = 7 * DAY
/** After a recovery was stopped, none can be asked for: who restarts it for ever only sends mails to the owner, and few. */
export const RECOVERY_PAUSE_SECONDS: number = 72 * HOUR

/** Where the recovery of an account stands. */
export type RecoveryState =
  | { readonly kind: 'none' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'waiting'; readonly readyAt: number }
  | { readonly kind: 'ready' }
  | { readonly kind: 'paused'; readonly until: number }

/** The links of a first mail. */
export interface RecoveryLinks {
  /** Token that confirms the request. */
  readonly confirm: string
  /** Token that stops it. */
  readonly cancel: string
}

/** A recovery that waits from now on. */
export interface WaitingRecovery {
  /** Whose it is. */
  readonly account: Account
  /** Unix timestamp at which the waiting time ends. */
  readonly readyAt: number
  /** Token that stops it. */
  readonly cancel: string
}

/**
 * Verified recovery, for the day on which every factor is gone. The password was proven, the mailbox is proven by a link, then a
 * waiting time passes in which whoever holds a factor, a session or the mailbox can stop it. It ends in a new factor and never in
 * an account without one. Any change of the credentials ends it. Each step is one conditional update.
 */
export class FactorRecovery {
  readonly #database = inject(Database)
  readonly #users = inject(Users)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)

  /** @returns Where its recovery stands. */
  async stateOf(accountId: string): Promise<RecoveryState> {
    const now = this.#clock.timestamp()
    await endOutdated(this.#database, accountId, {
      now,
      longest: RECOVERY_LONG_WAIT_SECONDS,
      open: RECOVERY_OPEN_SECONDS,
    })
    const open = await openOf(this.#database, accountId)
    if (open === undefined) return this.#pauseOf(accountId, now)
    if (open.ready_at === null) return { kind: 'asked' }
    return open.ready_at <= now ? { kind: 'ready' } : { kind: 'waiting', readyAt: open.ready_at }
  }

  /**
   * Asks for a recovery, after the password. An earlier request that was not confirmed ends.
   *
   * @returns Whether it was; not while a confirmed recovery is open, or after one was stopped.
   * @throws {TooManyRequestsException} If it was asked for too often.
   */
  async ask(accountId: string, client: Client, write: WriteMail<RecoveryLinks>): Promise<boolean> {
    const links = await this.#attempts.spend([LOST_FACTOR_LIMIT.of(accountId)], async () => {
      const { kind } = await this.stateOf(accountId)
      if (kind !== 'none' && kind !== 'asked') return undefined
      return this.#database.transaction().execute(async (transaction) => {
        const begun = await this.#begin(transaction, accountId, client)
        if (begun !== undefined) await write(begun, transaction)
        return begun
      })
    })
    return links !== undefined
  }

  /** @returns The account; undefined when the link is outdated. */
  async confirmable(token: string): Promise<Account | undefined> {
    const found = await this.#linked(token, 'confirm')
    return found?.ready_at === null ? this.#accountOf(found.account_id) : undefined
  }

  /**
   * Confirms a request: the waiting time begins. Of several calls, one does it.
   *
   * @returns What waits; undefined when the link is outdated.
   */
  async confirm(
    token: string,
    client: Client,
    write: WriteMail<WaitingRecovery>,
  ): Promise<WaitingRecovery | undefined> {
    const found = await this.#linked(token, 'confirm')
    const account = found === undefined ? undefined : await this.#accountOf(found.account_id)
    if (found === undefined || account === undefined) return undefined
    const now = this.#clock.timestamp()
    const wait = (await this.#users.hasMailPassword(account.id))
      ? RECOVERY_LONG_WAIT_SECONDS
      : RECOVERY_WAIT_SECONDS
    const readyAt = now + wait
    return this.#database.transaction().execute(async (transaction) => {
      const confirmed = await transaction
        .updateTable('factor_recovery')
        .set({ ready_at: readyAt, expires_at: readyAt + RECOVERY_OPEN_SECONDS })
        .where('id', '=', found.id)
        .where('ready_at', 'is', null)
        .where('ended_at', 'is', null)
        .where(isLive(now, RECOVERY_CONFIRM_SECONDS))
        .where(hasPresentVersion)
        .executeTakeFirst()
      if (confirmed.numUpdatedRows !== 1n) return undefined
      await transaction
        .deleteFrom('recovery_link')
        .where('digest', '=', linkDigest('factor-recovery', token))
        .execute()
      const entry: AuditEntry = { kind: 'recovery-confirmed', accountId: account.id, ...client }
      await this.#audit.record(entry, transaction)
      const waiting = { account, readyAt, cancel: await createLink(transaction, found.id, 'cancel') }
      await write(waiting, transaction)
      return waiting
    })
  }

  /** @returns Token of a further link that stops its open recovery; undefined when none is open. */
  async cancelLink(transaction: Transaction<Schema>, accountId: string): Promise<string | undefined> {
    const open = await openOf(transaction, accountId)
    return open === undefined ? undefined : createLink(transaction, open.id, 'cancel')
  }

  /** @returns The account whose recovery it stops; undefined when there is nothing to stop. */
  async cancellable(token: string): Promise<Account | undefined> {
    const found = await this.#linked(token, 'cancel')
    return found === undefined ? undefined : this.#accountOf(found.account_id)
  }

  /**
   * Stops a recovery by the link of a mail. Of several calls, one does it.
   *
   * @returns Whether this call stopped one.
   */
  async cancel(token: string, client: Client): Promise<boolean> {
    const found = await this.#linked(token, 'cancel')
    return found !== undefined && this.cancelOf(found.account_id, client)
  }

  /**
   * Stops the open recovery of an account, by its owner in a session.
   *
   * @returns Whether this call stopped one that was confirmed or asked for.
   */
  cancelOf(accountId: string, client: Client): Promise<boolean> {
    return this.#database
      .transaction()
      .execute((transaction) => this.cancelIn(transaction, accountId, client))
  }

  /**
   * Does the same because somebody signs in with a factor that is not lost.
   *
   * @returns Whether this call stopped one.
   */
  async cancelIn(transaction: Transaction<Schema>, accountId: string, client: Client): Promise<boolean> {
    // Most accounts have none, and a login need not write for them.
    if ((await openOf(transaction, accountId)) === undefined) return false
    if (!(await stopOpen(transaction, accountId, this.#clock.timestamp()))) return false
    await this.#audit.record({ kind: 'recovery-cancelled', accountId, ...client }, transaction)
    await this.#notices.tell({ kind: 'recovery-cancelled', accountId }, transaction)
    return true
  }

  /**
   * Ends a recovery whose waiting time is over. To be called in the transaction that enables the new factor.
   *
   * @returns Whether this call ended it; if not, nothing may be replaced.
   */
  async complete(transaction: Transaction<Schema>, accountId: string, client: Client): Promise<boolean> {
    const now = this.#clock.timestamp()
    const completed = await transaction
      .updateTable('factor_recovery')
      .set({ ended_at: now, outcome: 'completed' })
      .where('account_id', '=', accountId)
      .where('ended_at', 'is', null)
      .where('ready_at', '<=', now)
      .where('expires_at', '>', now)
      .where(hasPresentVersion)
      .executeTakeFirst()
    if (completed.numUpdatedRows !== 1n) return false
    await this.#audit.record({ kind: 'recovery-completed', accountId, ...client }, transaction)
    return true
  }

  async #begin(
    transaction: Transaction<Schema>,
    accountId: string,
    client: Client,
  ): Promise<RecoveryLinks | undefined> {
    const now = this.#clock.timestamp()
    const account = await transaction
      .selectFrom('account')
      .select('credential_version')
      .where('id', '=', accountId)
      .where('state', '=', 'active')
      .executeTakeFirst()
    if (account === undefined) return undefined
    await transaction
      .updateTable('factor_recovery')
      .set({ ended_at: now, outcome: 'outdated' })
      .where('account_id', '=', accountId)
      .where('ended_at', 'is', null)
      .where('ready_at', 'is', null)
      .execute()
    const id = orderedId(this.#clock)
    const row = {
      id,
      account_id: accountId,
      credential_version: account.credential_version,
      asked_at: now,
      ready_at: null,
      expires_at: now + RECOVERY_CONFIRM_SECONDS,
      ended_at: null,
      outcome: null,
    }
    // A confirmed one is open: the unique index lets no second one begin.
    const begun = await transaction
      .insertInto('factor_recovery')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (begun.numInsertedOrUpdatedRows !== 1n) return undefined
    await this.#audit.record({ kind: 'recovery-requested', accountId, ...client }, transaction)
    const confirm = await createLink(transaction, id, 'confirm')
    return { confirm, cancel: await createLink(transaction, id, 'cancel') }
  }

  async #linked(token: string, purpose: 'confirm' | 'cancel'): Promise<OpenRecovery | undefined> {
    const now = this.#clock.timestamp()
    await endExpired(this.#database, token, now)
    return this.#database
      .selectFrom('recovery_link')
      .innerJoin('factor_recovery', 'factor_recovery.id', 'recovery_link.recovery_id')
      .select(['factor_recovery.id', 'factor_recovery.account_id', 'factor_recovery.ready_at'])
      .where('recovery_link.digest', '=', linkDigest('factor-recovery', token))
      .where('recovery_link.purpose', '=', purpose)
      .where('factor_recovery.ended_at', 'is', null)
      .where('factor_recovery.expires_at', '>', now)
      .$if(purpose === 'confirm', (query) =>
        query.where(isLive(now, RECOVERY_CONFIRM_SECONDS)).where(hasPresentVersion),
      )
      .executeTakeFirst()
  }

  async #accountOf(id: string): Promise<Account | undefined> {
    return (await this.#users.authenticationIdentity(id))?.principal
  }

  async #pauseOf(accountId: string, now: number): Promise<RecoveryState> {
    const ended = await lastStop(this.#database, accountId)
    const until = (ended ?? -RECOVERY_PAUSE_SECONDS) + RECOVERY_PAUSE_SECONDS
    return until > now ? { kind: 'paused', until } : { kind: 'none' }
  }
}
