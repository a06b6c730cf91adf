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
  /**
   * @param mail The mail.
   */
  abstract send(mail: Mail): Promise<void>
}
