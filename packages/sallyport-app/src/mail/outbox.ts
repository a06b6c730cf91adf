import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { MailQueue, type QueuedMail } from './mail-queue.ts'
import { MailSender } from './mail-sender.ts'
import type { MailTables } from './mail-table.ts'
import { type Mail, Mailer } from './mailer.ts'

/** A mail that is worded. */
export interface WordedMail extends Pick<QueuedMail, 'kind' | 'mail'> {
  /** For how long its link or code can be used: it is not sent after that. Default: without an end. */
  readonly seconds?: number | undefined
}

/** Where an application leaves its mails. */
export class Outbox {
  readonly #mailer = inject(Mailer)
  readonly #queue = inject(MailQueue)
  readonly #sender = inject(MailSender)
  readonly #clock = inject(Clock)
  #hasNew = false

  /** Whether mails are sent at all. */
  get areSent(): boolean {
    return this.#mailer.sends
  }

  /**
   * Writes a mail into the queue, from where it is sent in the background: the time of a mail server must neither delay an answer nor tell
   * who has an account. Nothing is written where no mails are sent.
   *
   * @param worded The mail.
   * @param transaction That of what it is about: the mail is there if, and only if, that has happened. It is sent by {@link sendNew}.
   */
  async write<Tables extends MailTables>(
    worded: WordedMail,
    transaction: Transaction<Tables>,
  ): Promise<void> {
    if (!this.areSent) return
    const { kind, mail, seconds } = worded
    const ends = seconds === undefined ? {} : { endsAt: this.#clock.timestamp() + seconds }
    await this.#queue.add(transaction, { kind, mail, ...ends })
    this.#hasNew = true
  }

  /**
   * Sends a mail to somebody whom another person waits for, such as an operator: at once, and not from the queue.
   *
   * @param mail The mail.
   * @throws {Error} If it could not be handed over, or nothing is sent here.
   */
  async handOver(mail: Mail): Promise<void> {
    await this.#mailer.send(mail)
  }

  /** Sends what was written. To be called when the transactions have ended. It waits only for what is delivered without a wait. */
  async sendNew(): Promise<void> {
    if (!this.#hasNew) return
    this.#hasNew = false
    const sent = this.#sender.sendDue()
    if (this.#mailer.isInstant) await sent
  }
}
