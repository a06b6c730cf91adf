import { randomUUID } from 'node:crypto'
import { Clock, type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { clientOf } from 'sallyport-app/clients'
import { keepCredentialVersion } from 'sallyport-app/sessions'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Database } from '../database/database.ts'
import { type Notice, Notices } from '../mail/notices.ts'
import {
  beginPendingLogin,
  challengeOf,
  discardPendingLogin,
  pendingAccount,
} from '../challenges/pending-login.ts'
import type { SigningIn } from '../sign-in-step.ts'

/** How pending logins begin, and how they end without a sign-in. */
export class PendingLogins {
  readonly #sessions = inject(SessionAuthentication)
  readonly #database = inject(Database)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)

  /** Begins one after the password, or what stood for it. */
  async begin(context: HttpContext, proof: SigningIn): Promise<void> {
    const { identifier, identity, isByMail = false } = proof
    const session = context.session()
    const challengeId = randomUUID()
    const entry = { accountId: identifier, ...clientOf(context), challengeId }
    // Before the session is changed: a login that cannot be recorded does not happen.
    if (!isByMail) await this.#audit.record({ kind: AuditEvent.PasswordAccepted, ...entry })
    // logout() instead of regenerateId(): nothing of an earlier identity may remain in this session.
    await this.#sessions.logout(session, context.auth(), { keepNewer: true })
    await beginPendingLogin(session, { identifier, challengeId, isByMail }, this.#clock)
    await keepCredentialVersion(session, identity.credentialVersion)
    // The next page has a form: the secret of its token is written with the rest of the session.
    await context.csrf().token()
  }

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
