import { Clock, inject } from 'sallyport'
import type { Session } from 'sallyport/session'
import { Parts } from '../part.ts'
import { Database } from '../database/database.ts'
import { factorName } from '../messages/factor-names.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import type { Client } from '../clients/client.ts'
import { Attempts } from '../limits/attempts.ts'
import { UNLOCKED_LIMIT } from '../limits/limits.ts'
import type { NoticeLink } from '../mail/notice-link.ts'
import { Notices } from '../mail/notices.ts'
import type { FactorKind } from './factor-kinds.ts'
import { LockLinks } from './lock-links.ts'
import { type LockableFactor, SecondFactors } from './second-factors.ts'
import { readUnlocked } from './unlocked-browser.ts'

const MINUTE = 60

// Wrong codes that are sent at once begin a lock once.
const TOGETHER_SECONDS = 30

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

interface Begun {
  readonly link?: NoticeLink
}

/**
 * The locks of second factors: the owner is told when one begins. A part may unlock one browser.
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
  readonly #links = inject(inject(Parts).only('lockLinks') ?? LockLinks)

  /**
   * Looks after a wrong code whether a lock has begun, and then records and tells it: once, however many codes came at a time.
   *
   * @returns Whether the factor is locked.
   */
  async refused(wrong: WrongCode): Promise<boolean> {
    if (wrong.unlock !== undefined) {
      if (await this.#isSpent(wrong.unlock)) await this.#links.spent(wrong.unlock, wrong.client)
      return false
    }
    const wait = await this.#factors.lockedSeconds(wrong.accountId, wrong.factor)
    if (wait === 0) return false
    const locked = await this.#lockedOf(wrong)
    const begun = await this.#begin(wrong, locked.kind)
    if (begun === undefined) return true
    const values = { factor: factorName(locked), minutes: Math.ceil(wait / MINUTE), ...begun }
    await this.#notices.tell(wrong.accountId, 'factor-locked', values)
    return true
  }

  /** @returns Identifier of the unlock of this browser; undefined when there is none, or its tries are spent. */
  async unlockOf(session: Session, accountId: string): Promise<string | undefined> {
    const id = await readUnlocked(session, accountId, this.#clock)
    return id === undefined || (await this.#isSpent(id)) ? undefined : id
  }

  /** @returns Seconds until it is checked in this browser; 0 when it is not locked here. */
  async lockedSeconds(session: Session, accountId: string, factor: LockableFactor): Promise<number> {
    if ((await this.unlockOf(session, accountId)) !== undefined) return 0
    return this.#factors.lockedSeconds(accountId, factor)
  }

  async #isSpent(id: string): Promise<boolean> {
    return (await this.#attempts.lockedSeconds(UNLOCKED_LIMIT.of(id))) > 0
  }

  // In one transaction with its record; undefined when another wrong code began the lock.
  #begin(
    { accountId, factor, client, challengeId }: WrongCode,
    detail: FactorKind,
  ): Promise<Begun | undefined> {
    const now = this.#clock.timestamp()
    return this.#database.transaction().execute(async (transaction) => {
      const known = await transaction
        .selectFrom('event')
        .select('id')
        .where('account_id', '=', accountId)
        .where('kind', '=', AuditEvent.CodeLocked)
        .where('detail', '=', detail)
        .where('at', '>', now - TOGETHER_SECONDS)
        .where('at', '<=', now)
        .executeTakeFirst()
      if (known !== undefined) return undefined
      const entry = { kind: AuditEvent.CodeLocked, accountId, ...client, detail }
      await this.#audit.record(challengeId === undefined ? entry : { ...entry, challengeId }, transaction)
      const lock = { accountId, factor: factor.id ?? factor.kind, now }
      const link = await this.#links.begin(transaction, lock)
      return link === undefined ? {} : { link }
    })
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
