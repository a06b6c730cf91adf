import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { Session } from 'sallyport/session'
import { Database } from '../../database/database.ts'
import { isLive } from '../../database/lifetime.ts'
import { factorName } from '../../messages/factor-names.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import type { Client } from '../clients/client.ts'
import { Attempts } from '../limits/attempts.ts'
import { UNLOCKED_LIMIT, unlockedSubject } from '../limits/limits.ts'
import { createLinkToken, linkDigest } from '../mail/link-tokens.ts'
import { Notices } from '../mail/notices.ts'
import type { FactorKind } from './factor-kinds.ts'
import { type LockableFactor, SecondFactors } from './second-factors.ts'
import { readUnlocked, type Unlocked } from './unlocked-browser.ts'

const MINUTE = 60

/** How long the link of a mail about a lock can be used. */
export const UNLOCK_LINK_SECONDS: number = 60 * MINUTE

// Wrong codes that are sent at once begin a lock once.
const TOGETHER_SECONDS = 30
const KEPT_SECONDS = 24 * 60 * MINUTE

/** A wrong code. */
export interface WrongCode {
  /** Account reference. */
  readonly accountId: string
  /** What it was for. */
  readonly factor: LockableFactor
  /** Identifier of the unlock, in a browser that was unlocked. */
  readonly unlock: string | undefined
  /** Where it was typed. */
  readonly client: Client
  /** Identifier of the pending login. Default: none. */
  readonly challengeId?: string
}

/**
 * The locks of second factors: the owner is told when one begins, by a mail whose link unlocks one browser.
 *
 * Only that browser may go on, with a few tries of its own: for everybody else the lock holds. So whoever knows the password can
 * neither keep the owner out by renewing the lock, nor gain tries by the owner's unlocking.
 */
export class FactorLocks {
  readonly #database = inject(Database)
  readonly #factors = inject(SecondFactors)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)

  /**
   * Looks after a wrong code whether a lock has begun, and then records and tells it: once, however many codes came at a time.
   *
   * @param wrong The wrong code.
   * @returns Whether the factor is locked.
   */
  async refused(wrong: WrongCode): Promise<boolean> {
    if (wrong.unlock !== undefined) {
      if (await this.#isSpent(wrong.unlock)) await this.#fail({ id: wrong.unlock }, wrong.client)
      return false
    }
    const wait = await this.#factors.lockedSeconds(wrong.accountId, wrong.factor)
    if (wait === 0) return false
    const locked = await this.#lockedOf(wrong)
    const token = await this.#begin(wrong, locked.kind)
    if (token === undefined) return true
    const values = { factor: factorName(locked), minutes: Math.ceil(wait / MINUTE) }
    const link = { id: 'factor-locked.unlock', path: `/unlock/${token}` }
    await this.#notices.tell(wrong.accountId, 'factor-locked', { ...values, link })
    return true
  }

  /**
   * @param session Session of the request.
   * @param accountId Account whose code is asked for.
   * @returns Identifier of the unlock of this browser; undefined when there is none, or its tries are spent.
   */
  async unlockOf(session: Session, accountId: string): Promise<string | undefined> {
    const id = await readUnlocked(session, accountId, this.#clock)
    return id === undefined || (await this.#isSpent(id)) ? undefined : id
  }

  /**
   * @param session Session of the request.
   * @param accountId Account whose code is asked for.
   * @param factor What would be proven.
   * @returns Seconds until it is checked in this browser; 0 when it is not locked here.
   */
  async lockedSeconds(session: Session, accountId: string, factor: LockableFactor): Promise<number> {
    if ((await this.unlockOf(session, accountId)) !== undefined) return 0
    return this.#factors.lockedSeconds(accountId, factor)
  }

  /**
   * @param token Token of a link.
   * @returns Whether it can still be used. Nothing is used up by asking.
   */
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
   * Uses a link up, and records it, in one transaction. The row count decides: of several uses, one succeeds. The owner is told, also
   * of a link that could not be used.
   *
   * @param token Token of the link.
   * @param client Where it is used.
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
      const entry = { kind: AuditEvent.FactorUnlocked, accountId: used.accountId, ...client }
      await this.#audit.record(entry, transaction)
      return { accountId: used.accountId, id: used.id }
    })
    if (unlocked === undefined) await this.#fail({ digest }, client)
    else await this.#notices.tell(unlocked.accountId, 'factor-unlocked')
    return unlocked
  }

  async #isSpent(id: string): Promise<boolean> {
    return (await this.#attempts.lockedSeconds(unlockedSubject(id), UNLOCKED_LIMIT)) > 0
  }

  // In one transaction with its record; undefined when another wrong code began the lock.
  #begin(
    { accountId, factor, client, challengeId }: WrongCode,
    detail: FactorKind,
  ): Promise<string | undefined> {
    const { token, digest } = createLinkToken('unlock')
    const now = this.#clock.timestamp()
    const name = factor.id ?? factor.kind
    return this.#database.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom('factor_unlock')
        .where('created_at', '<=', now - KEPT_SECONDS)
        .execute()
      const inserted = await sql`
        INSERT INTO factor_unlock (digest, id, account_id, credential_version, factor, created_at, expires_at)
        SELECT ${digest}, ${randomUUID()}, id, credential_version, ${name}, ${now}, ${now + UNLOCK_LINK_SECONDS}
        FROM account WHERE id = ${accountId} AND NOT EXISTS (SELECT 1 FROM factor_unlock
          WHERE account_id = ${accountId} AND factor = ${name}
            AND created_at > ${now - TOGETHER_SECONDS} AND created_at <= ${now})`.execute(transaction)
      if (inserted.numAffectedRows !== 1n) return undefined
      const entry = { kind: AuditEvent.CodeLocked, accountId, ...client, detail }
      await this.#audit.record(challengeId === undefined ? entry : { ...entry, challengeId }, transaction)
      return token
    })
  }

  // Told once for each link, however often it is tried.
  async #fail(which: { readonly id: string } | { readonly digest: string }, client: Client): Promise<void> {
    const [column, value] = 'id' in which ? (['id', which.id] as const) : (['digest', which.digest] as const)
    const accountId = await this.#database.transaction().execute(async (transaction) => {
      const row = await transaction
        .updateTable('factor_unlock')
        .set({ failed_at: this.#clock.timestamp() })
        .where(column, '=', value)
        .where('failed_at', 'is', null)
        .returning('account_id')
        .executeTakeFirst()
      if (row === undefined) return undefined
      const entry = { kind: AuditEvent.FactorUnlockRefused, accountId: row.account_id, ...client }
      await this.#audit.record(entry, transaction)
      return row.account_id
    })
    if (accountId !== undefined) await this.#notices.tell(accountId, 'factor-unlock-failed')
  }

  async #lockedOf({
    accountId,
    factor,
  }: WrongCode): Promise<{ readonly kind: FactorKind; readonly label: string }> {
    const usable = await this.#factors.usable(accountId)
    return (
      usable.find(({ id, kind }) => (factor.id === undefined ? kind === factor.kind : id === factor.id)) ?? {
        kind: factor.kind,
        label: '',
      }
    )
  }
}
