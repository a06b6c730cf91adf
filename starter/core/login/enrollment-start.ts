import { randomUUID } from 'node:crypto'
import { Clock, type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { TooManyRequestsException } from 'sallyport/http'
import { keepCredentialVersion } from 'sallyport-app/sessions'
import { Users } from '../accounts/users.ts'
import { Challenges } from '../challenges/challenges.ts'
import { Mails } from '../mail/mails.ts'
import type { SigningIn } from '../sign-in-step.ts'
import { EnrollmentLinks, NOT_SENT } from './enrollment-links.ts'
import { type EnrollmentReason, keepEnrollment } from './pending-enrollment.ts'
import { leaveLogin } from './sign-out.ts'

/** Leads somebody whose password was just proven or chosen to the set-up of a second factor. Nobody is signed in by it. */
export class EnrollmentStart {
  readonly #users = inject(Users)
  readonly #challenges = inject(Challenges)
  readonly #sessions = inject(SessionAuthentication)
  readonly #mails = inject(Mails)
  readonly #links = inject(EnrollmentLinks)
  readonly #clock = inject(Clock)

  /** Begins that of a new account. */
  async beginFirst(context: HttpContext, identifier: string): Promise<void> {
    const identity = await this.#users.authenticationIdentity(identifier)
    const proven = { password: this.#clock.timestamp() }
    if (identity !== null) await this.begin(context, { identifier, identity, proven }, 'first')
  }

  /**
   * Begins one. Nothing of an earlier identity or pending login remains in the session of the request.
   *
   * Unless the account is new, or a factor of it was proven, a link in a mail must be opened first, in the same browser: otherwise the
   * password alone would decide whose factor the account gets. Where no mails are sent, the password has to do.
   */
  async begin(
    context: HttpContext,
    { identifier, identity, proven = {} }: SigningIn,
    reason: EnrollmentReason,
  ): Promise<void> {
    const session = context.session()
    await leaveLogin(context)
    await this.#sessions.logout(session, context.auth(), { keepNewer: true })
    const needsLink = reason !== 'first' && reason !== 'kind' && this.#mails.areSent
    const link = needsLink ? NOT_SENT : null
    const enrollment = { identifier, reason, proven, link, id: randomUUID(), isProven: false }
    await keepEnrollment(session, enrollment, this.#clock)
    await this.#challenges.open(enrollment.id, identifier)
    // With its mark: what the enrollment changes does not end it, and is known as its own.
    await keepCredentialVersion(session, identity.credentialVersion, enrollment.id)
    if (!needsLink) return
    try {
      await this.#links.send(context, enrollment, identity.principal)
    } catch (error) {
      // The page that waits for the link says how long to wait for another one.
      if (!(error instanceof TooManyRequestsException)) throw error
    }
  }
}
