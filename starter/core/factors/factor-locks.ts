import { Clock, inject } from 'sallyport'
import type { Session } from 'sallyport/session'
import type { Client } from 'sallyport-app/clients'
import { Attempts, type LimitedSubject } from 'sallyport-app/limits'
import { Parts } from '../part.ts'
import { Database } from '../database/database.ts'
import { factorName } from '../messages/factor-names.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { TOLD_LOCK_LIMIT } from '../limits/limits.ts'
import { Notices } from '../mail/notices.ts'
import type { LockLinks } from './lock-links.ts'
import { type LockableFactor, SecondFactors } from './second-factors.ts'

const MINUTE = 60

export interface WrongCode {
  readonly accountId: string
  readonly factor: LockableFactor
  /** What it was counted against in an unlocked browser. */
  readonly unlock: LimitedSubject | undefined
  readonly client: Client
  /** Identifier of the pending login. Default: none. */
  readonly challengeId?: string
}

/**
 * The locks of second factors: the owner is told when one begins. A part may unlock one browser. Only that browser may go on, with a few
 * tries of its own: for everybody else the lock holds. So whoever knows the password can neither keep the owner out by renewing the lock,
 * nor gain tries by the owner's unlocking.
 */
export class FactorLocks {
  readonly #database = inject(Database)
  readonly #factors = inject(SecondFactors)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)
  readonly #links: LockLinks | undefined = inject(Parts)
    .all.flatMap(({ lockLinks }) => (lockLinks === undefined ? [] : [inject(lockLinks)]))
    .at(0)

  /**
   * Looks after a wrong code whether a lock has begun, and then records and tells it: once, however many codes came at a time.
   *
   * @returns Whether the factor is locked.
   */
  async refused(wrong: WrongCode): Promise<boolean> {
    const { accountId, factor, unlock, client } = wrong
    if (unlock !== undefined) {
      await this.#links?.refused(unlock, client)
      return false
    }
    const wait = await this.#factors.lockedSeconds(accountId, factor)
    if (wait === 0) return false
    const usable = await this.#factors.usable(accountId)
    const isOf = (each: LockableFactor): boolean =>
      factor.id === undefined ? each.kind === factor.kind : each.id === factor.id
    const locked = usable.find(isOf) ?? { kind: factor.kind, label: '' }
    await this.#begin(wrong, { ...locked, minutes: Math.ceil(wait / MINUTE) })
    return true
  }

  /** @returns What counts the tries of this browser; undefined when the locks hold in it. */
  async unlockOf(session: Session, accountId: string): Promise<LimitedSubject | undefined> {
    return this.#links?.unlockOf(session, accountId)
  }

  /** @returns Seconds until it is checked in this browser; 0 when it is not locked here. */
  async lockedSeconds(session: Session, accountId: string, factor: LockableFactor): Promise<number> {
    if ((await this.unlockOf(session, accountId)) !== undefined) return 0
    return this.#factors.lockedSeconds(accountId, factor)
  }

  // Nothing happens when another wrong code began the lock.
  #begin(
    { accountId, factor, client, challengeId }: WrongCode,
    { minutes, ...locked }: LockableFactor & { readonly label: string; readonly minutes: number },
  ): Promise<void> {
    const now = this.#clock.timestamp()
    const told = [TOLD_LOCK_LIMIT.of(factor.id ?? accountId)]
    return this.#database.transaction().execute(async (transaction) => {
      if ((await this.#attempts.locks(told, transaction)).size > 0) return
      await this.#attempts.count(told, transaction)
      const entry = { kind: AuditEvent.CodeLocked, accountId, ...client, detail: locked.kind }
      await this.#audit.record(challengeId === undefined ? entry : { ...entry, challengeId }, transaction)
      const lock = { accountId, factor: factor.id ?? factor.kind, now }
      const link = await this.#links?.begin(transaction, lock)
      const values = { factor: factorName(locked), minutes, ...(link && { link }) }
      await this.#notices.tell({ kind: 'factor-locked', accountId, values }, transaction)
    })
  }
}
