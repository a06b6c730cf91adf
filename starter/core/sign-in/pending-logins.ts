import { type HttpContext, inject } from 'sallyport'
import { clientOf } from 'sallyport-app/clients'
import { type AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Database } from '../database/database.ts'
import { type Notice, Notices } from '../mail/notices.ts'
import { challengeOf, discardPendingLogin, pendingAccount } from '../challenges/pending-login.ts'

/** How pending logins end without a sign-in. */
export class PendingLogins {
  readonly #database = inject(Database)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)

  /**
   * Ends that of a session, in any state: in this browser even if the rest cannot be stored.
   *
   * @param kind What is recorded, if there was one; null for nothing.
   * @param notice What its owner is told of it. Default: nothing.
   * @returns Whether there was one.
   */
  async end(context: HttpContext, kind: AuditEvent | null, notice?: Notice): Promise<boolean> {
    const session = context.session()
    const accountId = await pendingAccount(session)
    const challengeId = (await challengeOf(session))?.id
    await discardPendingLogin(session)
    if (accountId === null) return false
    if (kind === null) return true
    const entry = { kind, accountId, ...clientOf(context), ...(challengeId !== undefined && { challengeId }) }
    await this.#database.transaction().execute(async (transaction) => {
      await this.#audit.record(entry, transaction)
      if (notice !== undefined) await this.#notices.tell(notice, transaction)
    })
    return true
  }
}
