import type { Clock } from 'sallyport'
import { type Mail, Mailer } from './mailer.ts'

const MAX_KEPT = 50

/** A mail that was kept, and when it was sent. */
export interface KeptMail extends Mail {
  /** Unix timestamp in seconds. */
  readonly at: number
}

/** Keeps mails instead of sending them: for development and tests. */
export class Mailbox extends Mailer {
  override readonly isInstant = true
  readonly #clock: Clock
  #mails: readonly KeptMail[] = []

  /** @param clock Says when a mail is sent. */
  constructor(clock: Clock) {
    super()
    this.#clock = clock
  }

  override async send(mail: Mail): Promise<void> {
    this.#mails = [{ ...mail, at: this.#clock.timestamp() }, ...this.#mails].slice(0, MAX_KEPT)
  }

  /**
   * Lists the newest mails.
   *
   * @returns At most fifty, newest first.
   */
  list(): readonly KeptMail[] {
    return this.#mails
  }
}
