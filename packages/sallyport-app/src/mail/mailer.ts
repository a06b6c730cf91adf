import type { Secret } from 'sallyport'

/** A mail of plain text, as it is worded. */
export interface Mail {
  /** Address of the recipient. */
  readonly to: string
  /** Its subject, in one line. */
  readonly subject: string
  /** Paragraphs with an empty line between them. A link has a line of its own. */
  readonly text: string
  /** Language of the text. Default: it is not said. */
  readonly language?: string
  /** Names the mail: that of another attempt to send it is the same. Default: a new one. */
  readonly id?: string
}

/** Hands mails over to whatever delivers them. */
export abstract class Mailer {
  /** Whether mails are sent at all. */
  readonly sends: boolean = true
  /** How many mails it takes at a time. */
  readonly atOnce: number = 1
  /** Whether a mail is delivered without a wait, so that the request that writes one may wait for it. */
  readonly isInstant: boolean = false

  /**
   * Hands a mail over.
   *
   * @param mail The mail.
   * @throws {MailRefusedError} If it was refused, and trying again is of no use. Any other error may pass.
   */
  abstract send(mail: Mail): Promise<void>

  /** Ends its connections. */
  close(): void {}
}

/** A mail server refused a mail for ever: there is no such recipient, or it does not like the content. */
export class MailRefusedError extends Error {
  /** Its name, which does not change when the code is bundled. */
  override readonly name = 'MailRefusedError'
  /** Reply code of SMTP. */
  readonly responseCode: number

  /**
   * @param responseCode Reply code of SMTP, 500 or more.
   * @param options `cause`. Default: none.
   */
  constructor(responseCode: number, options?: ErrorOptions) {
    super(`The mail server refused it with ${responseCode}`, options)
    this.responseCode = responseCode
  }
}

/** Stands where there is no mail server. */
export class NoMailer extends Mailer {
  override readonly sends = false

  override async send(): Promise<void> {
    throw new Error('Cannot send a mail: there is no mail server')
  }
}

/** A server for mails. */
export interface MailServer {
  /** Its address with user and password, such as `smtps://user:password@mail.example`. */
  readonly url: Secret
  /** The sender of all mails. The name may be empty. */
  readonly from: { readonly name: string; readonly address: string }
}
