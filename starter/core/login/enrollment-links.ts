import { Clock, type HttpContext, inject } from 'sallyport'
import { Attempts } from 'sallyport-app/limits'
import { createLinkToken } from 'sallyport-app/mail'
import type { Account } from '../accounts/account.ts'
import { Database } from '../database/database.ts'
import { ENROLLMENT_MAIL_LIMIT, ENROLLMENT_SECONDS } from '../limits/limits.ts'
import { Mails } from '../mail/mails.ts'
import { Parts } from '../part.ts'
import { keepEnrollment, type PendingEnrollment } from './pending-enrollment.ts'

/** In place of a digest, of a link that was not sent yet: no token has it. */
export const NOT_SENT = ''

/** The links that must be opened before an enrollment goes on. */
export class EnrollmentLinks {
  readonly #database = inject(Database)
  readonly #attempts = inject(Attempts)
  readonly #mails = inject(Mails)
  readonly #clock = inject(Clock)
  readonly #replacement = inject(Parts).services('factorReplacement').at(0)

  /**
   * Sends one. An earlier one ends.
   *
   * @throws {TooManyRequestsException} If too many were sent to the account.
   */
  async send(context: HttpContext, enrollment: PendingEnrollment, account: Account): Promise<void> {
    await this.#attempts.spend([ENROLLMENT_MAIL_LIMIT.of(account.id)], async () => {
      const { token, digest } = createLinkToken('enrollment')
      await keepEnrollment(context.session(), { ...enrollment, link: digest }, this.#clock)
      const url = this.#mails.linkTo(context.url('enrollment:confirm', { token }))
      const mail = { kind: 'enrollment', to: account, values: { url }, seconds: ENROLLMENT_SECONDS } as const
      if (enrollment.reason === 'replacement') await this.#replacement?.sendLink(account, url)
      else await this.#database.transaction().execute((transaction) => this.#mails.send(mail, transaction))
      return true
    })
  }
}
