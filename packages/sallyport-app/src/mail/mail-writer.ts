import type { Transaction } from 'kysely'
import { inject } from 'sallyport'
import { Translator } from 'sallyport/i18n'
import { Letter, type MailTime } from './letter.ts'
import type { MailTables } from './mail-table.ts'
import type { Mail } from './mailer.ts'
import { Outbox } from './outbox.ts'

const TIME = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const

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
  readonly values?: Readonly<Record<string, string | number | MailTime>>
  /** For how long its link can be used: it is not sent after that. Default: without an end. */
  readonly seconds?: number
}

/** A letter that is written. */
export interface LetterOrder {
  /** Its kind, for operators. */
  readonly kind: string
  /** Who gets it. */
  readonly to: Recipient
  /** Message of its subject. */
  readonly subject: string
  /** The letter. */
  readonly letter: Letter
  /** For how long a code in it can be used: it is not sent after that. Default: without an end. */
  readonly seconds?: number | undefined
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

/** The locale of the dates of a language, such as `en-GB`. */
export type DateLocale = (language: string) => string

/** Words mails, and leaves them in the outbox. */
export class MailWriter<Kind extends string> {
  readonly #outbox = inject(Outbox)
  readonly #translator = inject(Translator)
  readonly #site: MailSite
  readonly #localeOf: DateLocale
  readonly #formats = new Map<string, Intl.DateTimeFormat>()

  /**
   * @param site Where the pages are.
   * @param localeOf The locale of dates. Default: that of the language.
   */
  constructor(site: MailSite, localeOf: DateLocale = (language) => language) {
    this.#site = site
    this.#localeOf = localeOf
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
   * Writes a time as mails show it.
   *
   * @param timestamp Unix timestamp in seconds.
   * @param language A locale of the application.
   * @returns Date and time in UTC, which the text says.
   */
  time(timestamp: number, language: string): string {
    const locale = this.#localeOf(language)
    const format = this.#formats.get(locale) ?? new Intl.DateTimeFormat(locale, TIME)
    this.#formats.set(locale, format)
    return format.format(new Date(timestamp * 1000))
  }

  /**
   * Begins a mail of several paragraphs.
   *
   * @param language Language of who gets it.
   * @returns A letter without a word, for {@link post}.
   */
  letterIn(language: string): Letter {
    return new Letter({
      translate: (message) => this.#translator.translate(language, message),
      time: (timestamp) => this.time(timestamp, language),
      linkToPage: this.#site.origin() === undefined ? undefined : (page) => this.linkToPage(page),
    })
  }

  /**
   * Writes a letter.
   *
   * @param order The letter.
   * @param transaction That of what it is about.
   */
  async post<Tables extends MailTables>(order: LetterOrder, transaction: Transaction<Tables>): Promise<void> {
    const { kind, to, letter, seconds } = order
    const { email, language } = to
    const subject = this.#translator.translate(language, { id: order.subject })
    await this.#outbox.write(
      { kind, mail: { to: email, subject, text: letter.text, language }, seconds },
      transaction,
    )
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
    const entries = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' ? this.time(value.at, language) : value,
    ])
    const worded = Object.fromEntries(entries) as Readonly<Record<string, string | number>>
    const say = (part: string): string =>
      this.#translator.translate(language, { id: `mail.${kind}.${part}`, values: worded })
    return { to: email, subject: say('subject'), text: say('text'), language }
  }
}
