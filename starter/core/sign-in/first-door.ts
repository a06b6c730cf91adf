import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { clientOf } from 'sallyport-app/clients'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { discardPendingLogin } from '../challenges/pending-login.ts'
import { LoginCompletion } from '../login/login-completion.ts'
import { discardEnrollment } from '../login/pending-enrollment.ts'
import { PageController } from '../pages/page-controller.ts'
import { ReturnTargets } from '../sessions/return-target.ts'
import { TurnedAway } from '../sessions/turned-away.ts'

/** What all beginnings of a sign-in have in common. */
export class FirstDoor extends PageController {
  protected readonly sessions: SessionAuthentication = inject(SessionAuthentication)
  protected readonly audit: AuditTrail = inject(AuditTrail)
  protected readonly completion: LoginCompletion = inject(LoginCompletion)
  protected readonly targets: ReturnTargets = inject(ReturnTargets)

  /**
   * To be called first of all: whatever the outcome of this login, an earlier one ends.
   *
   * @throws {TurnedAwayException} If somebody is signed in.
   */
  protected async begin(): Promise<void> {
    const { context } = this
    const session = context.session()
    await discardPendingLogin(session)
    await discardEnrollment(session)
    const accountId = await this.sessions.identifier(session)
    if (accountId === null) return
    await this.audit.record({ kind: AuditEvent.LoginRefused, accountId, ...clientOf(context) })
    // An account that may no longer sign in has no page, and its session still names it.
    const route = context.auth().isAuthenticated() ? 'account:home' : 'account:login'
    this.turnAway({ ...TurnedAway.signedIn, text: 'sign-in.sign-out-first' }, route)
  }
}
