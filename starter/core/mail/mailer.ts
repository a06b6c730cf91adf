/** A mail of plain text. */
export interface Mail {
  /** Address of the recipient. */
  readonly to: string
  /** Subject. */
  readonly subject: string
  /** Text. */
  readonly text: string
}

/** Hands mails over to whatever delivers them. */
export abstract class Mailer {
  /** Whether mails are sent at all. */
  readonly sends: boolean = true

  abstract send(mail: Mail): Promise<void>
}

/** Stands where there is no mail server. */
export class NoMailer extends Mailer {
  override readonly sends = false

  override async send(): Promise<void> {
    throw new Error('Cannot send a mail: there is no mail server')
  }
}
