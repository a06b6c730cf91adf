import type { Transaction } from 'kysely'
import { inject } from 'sallyport'
import { Translator } from 'sallyport/i18n'
import type { MailTables } from './mail-table.ts'
import type { Mail } from './mailer.ts'
import { Outbox } from './outbox.ts'

/** Who gets a mail, and in which language. */
export interface Recipient {
  /** Their address. */
  readonly email: string
  /** A locale of the application. */
  readonly language: string
}

/** A mail to an address, before it is worded. */
export interface MailOrder<Kind extends string = string> {
  /** Its kind: it has the messages `mail.<kind>.subject` and `mail.<kind>.text`. */
  readonly kind: Kind
  /** Who gets it. */
  readonly to: Recipient
  /** Values of its text. Default: none. */
  readonly values?: Readonly<Record<string, string | number>>
  /** For how long its link can be used: it is not sent after that. Default: without an end. */
  readonly seconds?: number
}

/** Where the pages are to which mails lead. */
export interface MailSite {
  /**
   * Says where.
   *
   * @returns Scheme and host of the pages; undefined while they are not known.
   */
  origin(): string | undefined
  /** The path of the host below which they are; empty for none. */
  readonly basePath: string
}

/** Words mails, and leaves them in the outbox. */
export class MailWriter<Kind extends string> {
  readonly #outbox = inject(Outbox)
  readonly #translator = inject(Translator)
  readonly #site: MailSite

  /** @param site Where the pages are. */
  constructor(site: MailSite) {
    this.#site = site
  }

  /** Whether mails are sent at all. */
  get areSent(): boolean {
    return this.#outbox.areSent
  }

  /**
   * Makes a link for a mail: the one place that does.
   *
   * @param path A path with the base path.
   * @returns The link.
   * @throws {Error} If no origin is known. A request is not asked for one: its `Host` is what a client wrote there.
   */
  linkTo(path: string): string {
    const origin = this.#site.origin()
    if (origin === undefined) throw new Error('Cannot create a link for a mail: no origin is configured')
    return `${origin}${path}`
  }

  /**
   * Makes a link where no request says how its pages are called.
   *
   * @param page A path without the base path.
   * @returns The link.
   * @throws {Error} If no origin is known.
   */
  linkToPage(page: string): string {
    return this.linkTo(this.#site.basePath + page)
  }

  /**
   * Words a mail and writes it.
   *
   * @param order The mail.
   * @param transaction That of what it is about.
   */
  async send<Tables extends MailTables>(
    order: MailOrder<Kind>,
    transaction: Transaction<Tables>,
  ): Promise<void> {
    const { kind, seconds } = order
    await this.#outbox.write({ kind, mail: this.#wordsOf(order), seconds }, transaction)
  }

  /**
   * Sends a mail to somebody whom another person waits for, such as an operator: at once.
   *
   * @param order The mail.
   * @throws {Error} If it could not be handed over, or nothing is sent here.
   */
  async handOver(order: MailOrder<Kind>): Promise<void> {
    await this.#outbox.handOver(this.#wordsOf(order))
  }

  #wordsOf({ kind, to, values = {} }: MailOrder<Kind>): Mail {
    const { email, language } = to
    const say = (part: string): string =>
      this.#translator.translate(language, { id: `mail.${kind}.${part}`, values })
    return { to: email, subject: say('subject'), text: say('text'), language }
  }
}
