import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Translator } from 'sallyport/i18n'
import type { Schema } from '../database/schema.ts'
import { Settings } from '../settings.ts'
import { MailQueue, type QueuedMail } from './mail-queue.ts'
import { MailSender } from './mail-sender.ts'
import { type Mail, Mailer } from './mailer.ts'

/** The mails of parts: a part adds its own kinds to this interface. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface PartMails {}

/** The mails to addresses: each kind has the messages `mail.<kind>.subject` and `mail.<kind>.text`. */
export type MailKind =
  | keyof PartMails
  | 'confirm'
  | 'known'
  | 'known-disabled'
  | 'reset'
  | 'reset-disabled'
  | 'reset-unknown'
  | 'enrollment'

/** Who gets a mail, and in which language. */
export interface Recipient {
  readonly email: string
  readonly language: string
}

/** Writes the mail about a request in its transaction. */
export type WriteMail<Request> = (request: Request, transaction: Transaction<Schema>) => Promise<void>

type Values = Readonly<Record<string, string | number>>

/** A mail to an address, before it is worded. */
export interface MailOrder {
  readonly kind: MailKind
  readonly to: Recipient
  /** Values of its text. Default: none. */
  readonly values?: Values
  /** For how long its link can be used: it is not sent after that. Default: without an end. */
  readonly seconds?: number
}

/** A mail that is worded. */
export interface WordedMail extends Pick<QueuedMail, 'kind' | 'mail'> {
  /** For how long its link or code can be used: it is not sent after that. Default: without an end. */
  readonly seconds?: number | undefined
}

/** Words mails, and writes them into the queue. */
export class Mails {
  readonly #mailer = inject(Mailer)
  readonly #queue = inject(MailQueue)
  readonly #sender = inject(MailSender)
  readonly #translator = inject(Translator)
  readonly #clock = inject(Clock)
  readonly #origin = inject(Settings).origin
  readonly #basePath = inject(Settings).basePath
  #hasNew = false

  /** Whether mails are sent at all. */
  get areSent(): boolean {
    return this.#mailer.sends
  }

  /**
   * Makes a link for a mail: the one place that does.
   *
   * @throws {Error} If no origin is configured. A request is not asked for one: its `Host` is what a client wrote there.
   */
  linkTo(path: string): string {
    const origin = this.#origin()
    if (origin === undefined) throw new Error('Cannot create a link for a mail: no origin is configured')
    return `${origin}${path}`
  }

  /** Makes a link of a path without the base path, where no request says how its pages are called. */
  linkToPage(page: string): string {
    return this.linkTo(this.#basePath + page)
  }

  /** Words a mail and writes it like {@link write}. */
  send({ kind, to, values, seconds }: MailOrder, transaction: Transaction<Schema>): Promise<void> {
    return this.write({ kind, mail: this.#wordsOf(kind, to, values), seconds }, transaction)
  }

  /**
   * Sends a mail to somebody whom another person waits for, such as an operator: at once, and not from the queue.
   *
   * @throws {Error} If it could not be handed over, or nothing is sent here.
   */
  async handOver({ kind, to, values }: MailOrder): Promise<void> {
    await this.#mailer.send(this.#wordsOf(kind, to, values))
  }

  /**
   * Writes a mail into the queue, from where it is sent in the background: the time of a mail server must neither delay an answer nor tell
   * who has an account.
   *
   * @param transaction That of what it is about: the mail is there if, and only if, that has happened. It is sent by `sendNew()`.
   */
  async write({ kind, mail, seconds }: WordedMail, transaction: Transaction<Schema>): Promise<void> {
    if (!this.areSent) return
    const ends = seconds === undefined ? {} : { endsAt: this.#clock.timestamp() + seconds }
    await this.#queue.add(transaction, { kind, mail, ...ends })
    this.#hasNew = true
  }

  /** Sends what was written. To be called when the transactions have ended. It waits only for what is delivered without a wait. */
  async sendNew(): Promise<void> {
    if (!this.#hasNew) return
    this.#hasNew = false
    const sent = this.#sender.sendDue()
    if (this.#mailer.isInstant) await sent
  }

  #wordsOf(kind: MailKind, { email, language }: Recipient, values: Values = {}): Mail {
    const say = (part: string): string =>
      this.#translator.translate(language, { id: `mail.${kind}.${part}`, values })
    return { to: email, subject: say('subject'), text: say('text'), language }
  }
}
