import { Clock, type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { TooManyRequestsException } from 'sallyport/http'
import { Attempts } from 'sallyport-app/limits'
import { createLinkToken } from 'sallyport-app/mail'
import type { Account } from '../accounts/account.ts'
import { Users } from '../accounts/users.ts'
import { Database } from '../database/database.ts'
import { Challenges } from '../challenges/challenges.ts'
import { discardPendingLogin } from '../challenges/pending-login.ts'
import type { FactorReplacement } from '../factor-replacement.ts'
import { ENROLLMENT_MAIL_LIMIT, ENROLLMENT_SECONDS } from '../limits/limits.ts'
import {
  beginEnrollment,
  type EnrollmentReason,
  keepEnrollment,
  type PendingEnrollment,
} from '../login/pending-enrollment.ts'
import { Mails } from '../mail/mails.ts'
import { Parts } from '../part.ts'
import { keepCredentialVersion } from '../sessions/session-credentials.ts'

// No token has this digest: the link was not sent yet.
const NOT_SENT = ''

/**
 * Leads somebody whose password was just proven or chosen to the set-up of a second factor. Nobody is signed in by it.
 *
 * Except at the end of signing up, a link in a mail must be opened first, in the same browser: otherwise the password alone
 * would decide whose factor the account gets. Where no mails are sent, the password has to do.
 */
export class EnrollmentStart {
  /** What allows a new factor in the place of all others; undefined where nothing does. */
  readonly replacement: FactorReplacement | undefined = injectReplacement()
  readonly #database = inject(Database)
  readonly #users = inject(Users)
  readonly #challenges = inject(Challenges)
  readonly #sessions = inject(SessionAuthentication)
  readonly #attempts = inject(Attempts)
  readonly #mails = inject(Mails)
  readonly #clock = inject(Clock)

  /** Begins one. Nothing of an earlier identity or pending login remains in the session of the request. */
  async begin(context: HttpContext, accountId: string, reason: EnrollmentReason = 'first'): Promise<void> {
    const session = context.session()
    const identity = await this.#users.authenticationIdentity(accountId)
    await discardPendingLogin(session)
    await this.#sessions.logout(session, context.auth(), { keepNewer: true })
    if (identity === null) return
    const needsLink = reason !== 'first' && this.#mails.areSent
    // In place of lost factors it begins behind a pending login, whose password is older.
    const proven = reason === 'replacement' ? {} : { password: this.#clock.timestamp() }
    const beginning = { identifier: accountId, reason, proven, ...(needsLink && { link: NOT_SENT }) }
    const enrollment = await beginEnrollment(session, beginning, this.#clock)
    await this.#challenges.open(enrollment.id, accountId)
    await keepCredentialVersion(session, identity.credentialVersion, enrollment.id)
    if (!needsLink) return
    try {
      await this.sendLink(context, enrollment, identity.principal)
    } catch (error) {
      // The page that waits for the link says how long to wait for another one.
      if (!(error instanceof TooManyRequestsException)) throw error
    }
  }

  /**
   * Sends the link that must be opened. An earlier one ends.
   *
   * @throws {TooManyRequestsException} If too many were sent to the account.
   */
  async sendLink(context: HttpContext, enrollment: PendingEnrollment, account: Account): Promise<void> {
    await this.#attempts.spend([ENROLLMENT_MAIL_LIMIT.of(account.id)], async () => {
      const { token, digest } = createLinkToken('enrollment')
      await keepEnrollment(context.session(), { ...enrollment, link: digest }, this.#clock)
      const url = this.#mails.linkTo(context.url('enrollment:confirm', { token }))
      if (enrollment.reason === 'replacement') await this.replacement?.sendLink(account, url)
      else {
        const mail = {
          kind: 'enrollment',
          to: account,
          values: { url },
          seconds: ENROLLMENT_SECONDS,
        } as const
        await this.#database.transaction().execute((transaction) => this.#mails.send(mail, transaction))
      }
      return true
    })
  }
}

function injectReplacement(): FactorReplacement | undefined {
  const replacement = inject(Parts).lostFactors?.replacement
  return replacement && inject(replacement)
}
