import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { AuditEvent, AuditTrail } from '../../identity/audit/audit-trail.ts'
import { clientOf } from '../../identity/clients/client.ts'
import { discardPendingLogin, pendingAccount } from '../../identity/challenges/pending-login.ts'
import { discardPendingPasskey } from '../../identity/challenges/pending-passkey.ts'
import { discardEnrollment } from '../../identity/factors/pending-enrollment.ts'
import { forgetSeen } from '../../identity/sessions/last-seen.ts'
import { discardProofs } from '../../identity/step-up/proofs.ts'
import { PageController } from '../page-controller.ts'

/** Signs out. */
export class LogoutController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<LogoutController> = { index: [], indexPost: [] }

  readonly #sessions = inject(SessionAuthentication)
  readonly #audit = inject(AuditTrail)

  /**
   * @returns The page with the button; without anybody to sign out, the page that says so.
   */
  async index(): Promise<View> {
    const session = this.context.session()
    const isOpen =
      (await this.#sessions.identifier(session)) !== null || (await pendingAccount(session)) !== null
    const title = isOpen ? 'sign-out.title' : 'sign-out.already'
    return this.page('account/sign-out', { title, page: 'login', narrow: true, isOpen })
  }

  /**
   * Removes every identity from the session, including a pending login; other entries are kept.
   *
   * @returns A redirect to the login page.
   */
  async indexPost(): Promise<Response> {
    const { context } = this
    const accountId = await this.#sessions.identifier(context.session())
    const pendingId = await pendingAccount(context.session())

    // logout() does not remove `_2fa`. Recorded afterwards: signing out works even if it cannot be recorded.
    await discardPendingLogin(context.session())
    await discardEnrollment(context.session())
    await discardPendingPasskey(context.session())
    await discardProofs(context.session())
    await this.#sessions.logout(context.session(), context.auth())
    forgetSeen(context)
    await this.#record(AuditEvent.LoggedOut, accountId)
    await this.#record(AuditEvent.ChallengeCancelled, pendingId)
    await context.flash().add('notice', 'sign-out.done')
    return this.redirectToRoute('account:login')
  }

  async #record(kind: AuditEvent, accountId: string | null): Promise<void> {
    if (accountId === null) return
    await this.#audit.record({ kind, accountId, ...clientOf(this.context) })
  }
}
