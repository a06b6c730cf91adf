import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { pendingAccount, readPendingLogin } from '../challenges/pending-login.ts'
import { signOut } from '../login/sign-out.ts'
import { PageController } from '../pages/page-controller.ts'

export class LogoutController extends PageController {
  static readonly actions: Actions<LogoutController> = { index: [], indexPost: [] }

  readonly #sessions = inject(SessionAuthentication)
  readonly #audit = inject(AuditTrail)

  /** The page with the button; without anybody to sign out, the page that says so. */
  async index(): Promise<View | Response> {
    const lead = await this.#lead()
    const isOpen = lead !== undefined
    const title = isOpen ? 'sign-out.title' : 'sign-out.already'
    const page = { title, page: 'login', narrow: true, isOpen, lead }
    return this.pageOrState('sign-out', { isOpen }, this.page('account/sign-out', page))
  }

  // What the button ends.
  async #lead(): Promise<string | undefined> {
    const session = this.context.session()
    if ((await this.#sessions.identifier(session)) !== null) return 'sign-out.lead'
    const pending = await readPendingLogin(session, this.clock)
    return pending === undefined ? undefined : 'sign-out.pending.lead'
  }

  /** Removes every identity from the session, including a pending login; other entries are kept. */
  async indexPost(): Promise<Response> {
    const { context } = this
    const session = context.session()
    const accountId = await this.#sessions.identifier(session)
    const pendingId = await pendingAccount(session)
    await signOut(context, this.#sessions)
    // Recorded afterwards: signing out works even if it cannot be recorded.
    await this.#record(AuditEvent.LoggedOut, accountId)
    await this.#record(AuditEvent.ChallengeCancelled, pendingId)
    return this.redirectSaying(context.url('account:login'), 'sign-out.done')
  }

  async #record(kind: AuditEvent, accountId: string | null): Promise<void> {
    if (accountId !== null) await this.#audit.record({ kind, accountId, ...clientOf(this.context) })
  }
}
