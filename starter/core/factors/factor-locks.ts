import type { Transaction } from 'kysely'
import { inject } from 'sallyport'
import type { Session } from 'sallyport/session'
import type { LimitedSubject } from 'sallyport-app/limits'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import type { Schema } from '../database/schema.ts'
import { Notices } from '../mail/notices.ts'
import { factorName } from '../messages/factor-names.ts'
import { Parts } from '../part.ts'
import type { BegunLock } from './lock-links.ts'
import type { UsableFactor } from './second-factors.ts'

/** Factors that count for something, as they are in the browser of a request. */
export interface FactorsHere {
  /** What counts the tries of this browser, where nothing is locked in it; undefined where the locks hold. */
  readonly unlock: LimitedSubject | undefined
  /** The factors, the one that was used last first. */
  readonly usable: readonly UsableFactor[]
}

/**
 * The locks of second factors: the owner is told when one begins. A part may unlock one browser. Only that browser may go on, with a few
 * tries of its own: for everybody else the lock holds. So whoever knows the password can neither keep the owner out by renewing the lock,
 * nor gain tries by the owner's unlocking.
 */
export class FactorLocks {
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #links = inject(Parts).services('lockLinks').at(0)

  /** @returns These factors of the account as they are in this browser. In an unlocked one nothing is locked. */
  async here(session: Session, accountId: string, usable: readonly UsableFactor[]): Promise<FactorsHere> {
    const unlock = await this.#links?.unlockOf(session, accountId)
    if (unlock === undefined) return { unlock, usable }
    return { unlock, usable: usable.map((factor) => ({ ...factor, lockedSeconds: 0 })) }
  }

  /** Records a lock and tells it, in the transaction that begins it. */
  async tell(transaction: Transaction<Schema>, lock: BegunLock): Promise<void> {
    const { accountId, client, challengeId } = lock
    const { kind, label = '' } = lock.factor
    const entry = { kind: AuditEvent.CodeLocked, accountId, ...client, challengeId, detail: kind }
    await this.#audit.record(entry, transaction)
    const link = await this.#links?.begin(transaction, lock)
    const minutes = Math.ceil(lock.seconds / 60)
    const values = { factor: factorName({ kind, label }), minutes }
    await this.#notices.tell({ kind: 'factor-locked', accountId, values, link }, transaction)
  }
}
