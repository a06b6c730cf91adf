import type { Transaction } from 'kysely'
import { inject } from 'sallyport'
import { Translator } from 'sallyport/i18n'
import { type Mail, Outbox } from 'sallyport-app/mail'
import type { Schema } from '../database/schema.ts'
import { Settings } from '../settings.ts'

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

/** Words mails, and leaves them in the outbox. */
export class Mails {
  readonly #outbox = inject(Outbox)
  readonly #translator = inject(Translator)
  readonly #origin = inject(Settings).origin
  readonly #basePath = inject(Settings).basePath

  /** Whether mails are sent at all. */
  get areSent(): boolean {
    return this.#outbox.areSent
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

  /** Words a mail and writes it, in the transaction of what it is about. */
  send({ kind, to, values, seconds }: MailOrder, transaction: Transaction<Schema>): Promise<void> {
    return this.#outbox.write({ kind, mail: this.#wordsOf(kind, to, values), seconds }, transaction)
  }

  /**
   * Sends a mail to somebody whom another person waits for, such as an operator: at once.
   *
   * @throws {Error} If it could not be handed over, or nothing is sent here.
   */
  async handOver({ kind, to, values }: MailOrder): Promise<void> {
    await this.#outbox.handOver(this.#wordsOf(kind, to, values))
  }

  #wordsOf(kind: MailKind, { email, language }: Recipient, values: Values = {}): Mail {
    const say = (part: string): string =>
      this.#translator.translate(language, { id: `mail.${kind}.${part}`, values })
    return { to: email, subject: say('subject'), text: say('text'), language }
  }
}
