import { createTransport, type Transporter } from 'nodemailer'
import type { Secret } from 'sallyport'
import { dnsAddress } from '../accounts/email-address.ts'
import { type Mail, Mailer } from './mailer.ts'

// A server that does not answer must not hold connections open: the mail is reported as lost.
const TIMEOUT_MILLISECONDS = 20_000

// RFC 3834: what answers mails by itself must not answer these. Exchange reads the second one only.
const HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/** A server for mails. */
export interface MailServer {
  /** Its address with user and password, such as `smtps://user:password@mail.example`. */
  readonly url: Secret
  /** The sender of all mails. The name may be empty. */
  readonly from: { readonly name: string; readonly address: string }
}

/** Sends mails through an SMTP server. */
export class SmtpMailer extends Mailer {
  readonly #transport: Transporter
  readonly #from: MailServer['from']

  /**
   * @param server The server, and the sender.
   */
  constructor(server: MailServer) {
    super()
    this.#from = server.from
    this.#transport = createTransport({
      url: server.url.reveal(),
      connectionTimeout: TIMEOUT_MILLISECONDS,
      greetingTimeout: TIMEOUT_MILLISECONDS,
      socketTimeout: TIMEOUT_MILLISECONDS,
      // Texts are all that is sent: nothing in a mail may make this program read a file or fetch a page.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  override async send({ to, subject, text }: Mail): Promise<void> {
    // An object, because in a string a comma would begin a second recipient.
    await this.#transport.sendMail({
      from: this.#from,
      headers: HEADERS,
      to: { name: '', address: dnsAddress(to) },
      subject,
      text,
    })
  }
}
