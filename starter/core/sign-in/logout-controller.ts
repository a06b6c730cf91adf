import { Clock, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Actions } from 'sallyport/routing'
import type { Session } from 'sallyport/session'
import type { View } from 'sallyport/view'
import { SignInSteps } from '../sign-in-steps.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { clientOf } from '../clients/client.ts'
import { discardPendingLogin, pendingAccount, readPendingLogin } from '../challenges/pending-login.ts'
import { discardEnrollment } from '../login/pending-enrollment.ts'
import { signOut } from '../login/sign-out.ts'
import { discardProofs } from '../sessions/proofs.ts'
import { PageController } from '../pages/page-controller.ts'

/** Signs out. */
export class LogoutController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<LogoutController> = { index: [], indexPost: [] }

  readonly #sessions = inject(SessionAuthentication)
  readonly #audit = inject(AuditTrail)
  readonly #steps = inject(SignInSteps)
  readonly #clock = inject(Clock)

  /** @returns The page with the button; without anybody to sign out, the page that says so. */
  async index(): Promise<View | Response> {
    const session = this.context.session()
    const lead = await this.#lead(session)
    const isOpen = lead !== undefined
    const title = isOpen ? 'sign-out.title' : 'sign-out.already'
    const page = { title, page: 'login', narrow: true, isOpen, lead }
    return this.pageOrState('sign-out', { isOpen }, this.page('account/sign-out', page))
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
    await this.#steps.leave(context.session())
    await discardProofs(context.session())
    await signOut(context, this.#sessions)
    await this.#record(AuditEvent.LoggedOut, accountId)
    await this.#record(AuditEvent.ChallengeCancelled, pendingId)
    return this.redirectSaying(this.context.url('account:login'), { kind: 'notice', text: 'sign-out.done' })
  }

  // What the button ends.
  async #lead(session: Session): Promise<string | undefined> {
    if ((await this.#sessions.identifier(session)) !== null) return 'sign-out.lead'
    const pending = await readPendingLogin(session, this.#clock)
    return pending === undefined ? undefined : 'sign-out.pending.lead'
  }

  async #record(kind: AuditEvent, accountId: string | null): Promise<void> {
    if (accountId === null) return
    await this.#audit.record({ kind, accountId, ...clientOf(this.context) })
  }
}
