import { Clock, type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { Users } from '../accounts/users.ts'
import { Challenges } from '../challenges/challenges.ts'
import { discardPendingLogin } from '../challenges/pending-login.ts'
import { beginEnrollment } from '../factors/pending-enrollment.ts'
import { keepCredentialVersion } from './session-credentials.ts'

/** Leads somebody whose password was just proven or chosen to the set-up of the second factor. Nobody is signed in by it. */
export class EnrollmentStart {
  readonly #users = inject(Users)
  readonly #challenges = inject(Challenges)
  readonly #sessions = inject(SessionAuthentication)
  readonly #clock = inject(Clock)

  /**
   * @param context Context of the request. Nothing of an earlier identity or pending login remains in its session.
   * @param accountId Account reference. One that may not sign in begins nothing.
   */
  async begin(context: HttpContext, accountId: string): Promise<void> {
    const identity = await this.#users.authenticationIdentity(accountId)
    await discardPendingLogin(context.session())
    await this.#sessions.logout(context.session(), context.auth())
    if (identity === null) return
    const enrollment = await beginEnrollment(context.session(), accountId, this.#clock)
    await this.#challenges.open(enrollment.id, accountId)
    await keepCredentialVersion(context.session(), identity.credentialVersion)
  }
}
