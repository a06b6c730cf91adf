import type { Clock } from 'sallyport'
import { Mailbox, type Mailer, NoMailer } from '../mail/index.ts'
import { SmtpMailer } from '../mail/smtp.ts'
import type { ServerSettings } from '../settings/index.ts'

/**
 * Chooses what delivers mails. On a development machine without a mail server they stay in a page; in production a missing one means that
 * none are sent.
 *
 * @param settings The settings.
 * @param options `application`: its name, in front of each subject; `clock`.
 * @returns The mailer. `close()` ends its connections.
 */
export function mailerOf(
  settings: Pick<ServerSettings, 'mail' | 'isProduction'>,
  options: { readonly application: string; readonly clock: Clock },
): Mailer {
  const { mail, isProduction } = settings
  if (mail !== undefined) return new SmtpMailer(mail, { application: options.application })
  return isProduction ? new NoMailer() : new Mailbox(options.clock)
}
