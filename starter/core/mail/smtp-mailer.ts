import { createTransport, type Transporter } from 'nodemailer'
import type { Secret } from 'sallyport'
import { dnsAddress } from '../text/email-address.ts'
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

/** How many mails are sent at a time: each has a connection of its own. */
export interface MailLimits {
  /** Mails that are being sent. Default: 5. */
  readonly inFlight?: number
  /** Mails that wait for their turn. Default: 5000, more than the reminders of an hour. */
  readonly waiting?: number
}

/** Sends mails through an SMTP server: a few at a time, in the order in which they came. */
export class SmtpMailer extends Mailer {
  readonly #transport: Transporter
  readonly #from: MailServer['from']
  readonly #inFlight: number
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(server: MailServer, { inFlight = 5, waiting = 5000 }: MailLimits = {}) {
    super()
    this.#inFlight = inFlight
    this.#maxWaiting = waiting
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

  /** @throws {Error} If the server does not take it, or too many mails wait. */
  override async send(mail: Mail): Promise<void> {
    await this.#turn()
    try {
      await this.#hand(mail)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  async #turn(): Promise<void> {
    if (this.#running < this.#inFlight) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= this.#maxWaiting)
      throw new Error(`Cannot send a mail: ${this.#maxWaiting} others wait for the mail server`)
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  async #hand({ to, subject, text }: Mail): Promise<void> {
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
