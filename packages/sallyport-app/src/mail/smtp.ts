import { createTransport } from 'nodemailer'
import type { Secret } from 'sallyport'
import { dnsAddress } from '../text/index.ts'
import { mailHtml } from './mail-html.ts'
import { type Mail, Mailer, MailRefusedError, type MailServer } from './mailer.ts'

// A server that cannot be reached must not hold connections open.
const TIMEOUT_MILLISECONDS = 20_000
// Some servers examine a mail for minutes before they answer. Less than the lease of the queue.
const SENDING_MILLISECONDS = 240_000
const MAX_CONNECTIONS = 5

// RFC 3834: what answers mails by itself must not answer these. Exchange reads the second one only.
const HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

// What nodemailer calls a refusal of the recipient, and of the content.
const REFUSALS: readonly unknown[] = ['EENVELOPE', 'EMESSAGE']

/** What mails have in common. */
export interface SmtpOptions {
  /** Name of the application: in front of each subject, and below each text. */
  readonly application: string
  /** How long the server may take for one mail, in milliseconds. Default: four minutes. */
  readonly sendingMilliseconds?: number
}

/**
 * Sends mails through an SMTP server, over a few connections that stay open for a while. Their subjects name the application, because
 * they arrive among those of others.
 */
export class SmtpMailer extends Mailer {
  override readonly atOnce: number = MAX_CONNECTIONS
  readonly #transport: ReturnType<typeof transportTo>
  readonly #from: MailServer['from']
  readonly #application: string
  readonly #sendingMilliseconds: number

  /**
   * @param server Where mails go, and from whom they come. It is not asked before the first mail.
   * @param options What they have in common.
   */
  constructor(server: MailServer, { application, sendingMilliseconds = SENDING_MILLISECONDS }: SmtpOptions) {
    super()
    this.#application = application
    this.#from = server.from
    this.#sendingMilliseconds = sendingMilliseconds
    this.#transport = transportTo(server.url)
  }

  /**
   * Hands a mail over.
   *
   * @param mail The mail.
   * @throws {MailRefusedError} If the server refuses it for ever, with a reply code from 500 on.
   * @throws {Error} If the server does not take it for another reason.
   */
  override async send(mail: Mail): Promise<void> {
    const { to, subject, text, id } = mail
    const domain = this.#from.address.split('@').at(-1)
    try {
      await this.#transport.sendMail({
        from: this.#from,
        headers: HEADERS,
        // An object, because in a string a comma would begin a second recipient.
        to: { name: '', address: dnsAddress(to) },
        subject: `[${this.#application}] ${subject}`,
        text,
        html: mailHtml(mail, this.#application),
        signal: AbortSignal.timeout(this.#sendingMilliseconds),
        ...(id === undefined ? {} : { messageId: `<${id}@${domain}>` }),
      })
    } catch (error) {
      throw isRefusal(error) ? refusedBy(error) : error
    }
  }

  override close(): void {
    this.#transport.close()
  }
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types
function transportTo(url: Secret) {
  return createTransport({
    url: url.reveal(),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // Whether a mail is sent again is decided by the queue.
    maxRequeues: 0,
    connectionTimeout: TIMEOUT_MILLISECONDS,
    greetingTimeout: TIMEOUT_MILLISECONDS,
    socketTimeout: SENDING_MILLISECONDS,
    // Texts are all that is sent: nothing in a mail may make this program read a file or fetch a page.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

interface Refusal extends Error {
  readonly responseCode: number
}

function isRefusal(error: unknown): error is Refusal {
  if (!(error instanceof Error)) return false
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  return REFUSALS.includes(code) && typeof responseCode === 'number' && responseCode >= 500
}

function refusedBy(cause: Refusal): MailRefusedError {
  return new MailRefusedError(cause.responseCode, { cause })
}
