import { getLogger } from '@logtape/logtape'
import { Translator } from 'sallyport/i18n'
import { inject } from 'sallyport'
import { Settings } from '../settings.ts'
import { type Mail, Mailer } from './mailer.ts'

const log = getLogger(['starter', 'mail'])

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
  /** Address. */
  readonly email: string
  /** Language of the mail. */
  readonly language: string
}

type Values = Readonly<Record<string, string | number>>

/** Words mails and hands them over. */
export class Mails {
  readonly #mailer = inject(Mailer)
  readonly #translator = inject(Translator)
  readonly #origin = inject(Settings).origin
  readonly #basePath = inject(Settings).basePath

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

  /** Words a mail and sends it like {@link deliver}. */
  send(kind: MailKind, to: Recipient, values: Values = {}): void {
    this.deliver(kind, this.#wordsOf(kind, to, values))
  }

  /**
   * Sends a mail to somebody whom another person waits for, such as an operator.
   *
   * @throws {Error} If it could not be handed over, or nothing is sent here.
   */
  async handOver(kind: MailKind, to: Recipient, values: Values): Promise<void> {
    await this.#mailer.send(this.#wordsOf(kind, to, values))
  }

  /**
   * Sends a mail in the background: the time of a mail server must neither delay an answer nor tell who has an account. A mail that could
   * not be sent is logged, without its text.
   */
  deliver(kind: string, mail: Mail): void {
    if (!this.areSent) return
    this.#mailer
      .send(mail)
      .catch((error: unknown) => log.error('A mail of the kind {kind} could not be sent', { kind, error }))
  }

  #wordsOf(kind: MailKind, { email, language }: Recipient, values: Values): Mail {
    const say = (part: string): string =>
      this.#translator.translate(language, { id: `mail.${kind}.${part}`, values })
    return { to: email, subject: say('subject'), text: say('text') }
  }
}
