import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { Session } from 'sallyport/session'
import type { Client } from 'sallyport-app/clients'
import type { LimitedSubject } from 'sallyport-app/limits'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import type { Schema } from '../database/schema.ts'
import { Notices } from '../mail/notices.ts'
import { factorName } from '../messages/factor-names.ts'
import { Parts } from '../part.ts'
import type { FactorKind } from './factor-kinds.ts'

/** A lock that has just begun. */
export interface BegunLock {
  readonly accountId: string
  /** The factor that was tried last. */
  readonly factor: { readonly kind: FactorKind; readonly id?: string; readonly label?: string }
  readonly seconds: number
  readonly client: Client
  readonly challengeId: string
}

/**
 * The locks of second factors: the owner is told when one begins. A part may unlock one browser. Only that browser may go on, with a few
 * tries of its own: for everybody else the lock holds. So whoever knows the password can neither keep the owner out by renewing the lock,
 * nor gain tries by the owner's unlocking.
 */
export class FactorLocks {
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)
  readonly #links = inject(Parts).services('lockLinks').at(0)

  /** @returns What counts the tries of this browser; undefined when the locks hold in it. */
  async unlockOf(session: Session, accountId: string): Promise<LimitedSubject | undefined> {
    return this.#links?.unlockOf(session, accountId)
  }

  /** Records a lock and tells it, in the transaction that begins it. */
  async tell(
    transaction: Transaction<Schema>,
    { accountId, factor, seconds, client, challengeId }: BegunLock,
  ): Promise<void> {
    const { kind, id = kind, label = '' } = factor
    const entry = { kind: AuditEvent.CodeLocked, accountId, ...client, challengeId, detail: kind }
    await this.#audit.record(entry, transaction)
    const link = await this.#links?.begin(transaction, {
      accountId,
      factor: id,
      now: this.#clock.timestamp(),
    })
    const minutes = Math.ceil(seconds / 60)
    const values = { factor: factorName({ kind, label }), minutes, ...(link && { link }) }
    await this.#notices.tell({ kind: 'factor-locked', accountId, values }, transaction)
  }

  /** Tells that the tries of an unlocked browser are spent. */
  async spent(transaction: Transaction<Schema>, unlock: LimitedSubject, client: Client): Promise<void> {
    await this.#links?.spent(transaction, unlock, client)
  }
}
