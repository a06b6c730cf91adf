import { randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { isLive } from 'sallyport-app/database'
import type { Client } from 'sallyport-app/clients'
import type { Session } from 'sallyport/session'
import { Attempts, type LimitedSubject } from 'sallyport-app/limits'
import { createLinkToken, linkDigest } from 'sallyport-app/mail'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import type { BegunLock, LockLinks } from '../../core/factors/lock-links.ts'
import { readUnlocked, UNLOCKED_LIMIT, type Unlocked } from './unlocked-browser.ts'
import type { NoticeLink } from '../../core/mail/objection-links.ts'
import { Notices } from '../../core/mail/notices.ts'

/** How long the link of a mail about a lock can be used. */
export const UNLOCK_LINK_SECONDS: number = 60 * 60

const KEPT_SECONDS = 24 * 60 * 60

/** The links of mails about locked factors: each unlocks one browser. */
export class UnlockLinks implements LockLinks {
  readonly #database = inject(Database)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)

  /** @returns The link of the mail about it; undefined when there is no such account any more. */
  async begin(
    transaction: Transaction<Schema>,
    { accountId, factor }: BegunLock,
  ): Promise<NoticeLink | undefined> {
    const now = this.#clock.timestamp()
    const locked = factor.id ?? factor.kind
    const { token, digest } = createLinkToken('unlock')
    await transaction
      .deleteFrom('factor_unlock')
      .where('expires_at', '<=', now + UNLOCK_LINK_SECONDS - KEPT_SECONDS)
      .execute()
    const inserted = await sql`
      INSERT INTO factor_unlock (digest, id, account_id, credential_version, factor, created_at, expires_at)
      SELECT ${digest}, ${randomUUID()}, id, credential_version, ${locked}, ${now}, ${now + UNLOCK_LINK_SECONDS}
      FROM account WHERE id = ${accountId}`.execute(transaction)
    return inserted.numAffectedRows === 1n
      ? { id: 'factor-locked.unlock', path: `/unlock/${token}` }
      : undefined
  }

  /** @returns What counts the tries of this browser; undefined when it has no unlock, or its tries are spent. */
  async unlockOf(session: Session, accountId: string): Promise<LimitedSubject | undefined> {
    const id = await readUnlocked(session, accountId, this.#clock)
    if (id === undefined) return undefined
    const unlock = UNLOCKED_LIMIT.of(id)
    return (await this.#attempts.lockedSeconds(unlock)) > 0 ? undefined : unlock
  }

  /** Tells the owner, once, that the tries of an unlocked browser are spent. */
  async spent(transaction: Transaction<Schema>, { id }: LimitedSubject, client: Client): Promise<void> {
    await this.#fail(transaction, { id }, client)
  }

  /** @returns Whether it can still be used. Nothing is used up by asking. */
  async isOpen(token: string): Promise<boolean> {
    const row = await this.#database
      .selectFrom('factor_unlock')
      .innerJoin('account', 'account.id', 'factor_unlock.account_id')
      .select('factor_unlock.id')
      .where('factor_unlock.digest', '=', linkDigest('unlock', token))
      .where('factor_unlock.used_at', 'is', null)
      .where(isLive(this.#clock.timestamp(), UNLOCK_LINK_SECONDS))
      .whereRef('account.credential_version', '=', 'factor_unlock.credential_version')
      .where('account.state', '=', 'active')
      .executeTakeFirst()
    return row !== undefined
  }

  /**
   * Uses a link up, records it and tells the owner, in one transaction. The row count decides: of several uses, one succeeds. The owner is
   * told of a link that could not be used, too.
   *
   * @returns What is to be kept in the session of this browser; undefined when the link could not be used.
   */
  async unlock(token: string, client: Client): Promise<Unlocked | undefined> {
    const digest = linkDigest('unlock', token)
    const unlocked = await this.#database.transaction().execute(async (transaction) => {
      const now = this.#clock.timestamp()
      const used = await transaction
        .updateTable('factor_unlock')
        .set({ used_at: now })
        .where('digest', '=', digest)
        .where('used_at', 'is', null)
        .where(isLive(now, UNLOCK_LINK_SECONDS))
        .where(
          sql<boolean>`EXISTS (SELECT 1 FROM account WHERE account.id = factor_unlock.account_id
            AND account.credential_version = factor_unlock.credential_version AND account.state = 'active')`,
        )
        .returning(['account_id as accountId', 'id'])
        .executeTakeFirst()
      if (used === undefined) return undefined
      const entry = { kind: 'factor-unlocked' as const, accountId: used.accountId, ...client }
      await this.#audit.record(entry, transaction)
      await this.#notices.tell({ kind: 'factor-unlocked', accountId: used.accountId }, transaction)
      return { accountId: used.accountId, id: used.id }
    })
    if (unlocked === undefined)
      await this.#database.transaction().execute((transaction) => this.#fail(transaction, { digest }, client))
    return unlocked
  }

  // Told once for each link, however often it is tried.
  async #fail(
    transaction: Transaction<Schema>,
    which: { readonly id: string } | { readonly digest: string },
    client: Client,
  ): Promise<void> {
    const [column, value] = 'id' in which ? (['id', which.id] as const) : (['digest', which.digest] as const)
    const row = await transaction
      .updateTable('factor_unlock')
      .set({ failed_at: this.#clock.timestamp() })
      .where(column, '=', value)
      .where('failed_at', 'is', null)
      .returning('account_id as accountId')
      .executeTakeFirst()
    if (row === undefined) return
    await this.#audit.record({ kind: 'factor-unlock-refused', ...row, ...client }, transaction)
    await this.#notices.tell({ kind: 'factor-unlock-failed', ...row }, transaction)
  }
}
