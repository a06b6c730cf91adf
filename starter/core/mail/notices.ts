import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Translator } from 'sallyport/i18n'
import { Outbox } from 'sallyport-app/mail'
import { plainValue } from 'sallyport-app/text'
import type { ClientMessage } from '../clients/client-messages.ts'
import type { Schema } from '../database/schema.ts'
import { kindNamedBy } from '../messages/factor-names.ts'
import { type Language, languageOf } from '../messages/language.ts'
import { type NoticeOfOthers, Parts } from '../part.ts'
import { Settings } from '../settings.ts'
import { formatMailTime } from './mail-values.ts'
import { Mails } from './mails.ts'
import type { NoticeLink } from './objection-links.ts'

/** A time in a notice, in UTC. */
export interface NoticeTime {
  /** Unix timestamp in seconds. */
  readonly at: number
}

/** The kinds of notices with the values of their texts, null for none. Each has the messages `notice.<kind>.subject` and `notice.<kind>.text`. */
export interface NoticeValues {
  /** A sign-in from a network and with a device that were never seen for the account. */
  readonly 'new-sign-in': { readonly device: ClientMessage; readonly place: ClientMessage }
  /** The password was right, and the second step was wrong again and again. */
  readonly 'factor-refused': null
  /** The same after a link in a mail, which stood for the password. */
  readonly 'factor-refused-by-link': null
  readonly 'factor-added': { readonly label: string }
  readonly 'factor-removed': { readonly label: string }
  /** The password alone signs in from now on. */
  readonly 'last-factor-removed': { readonly label: string }
  readonly 'factor-locked': {
    readonly factor: ClientMessage
    readonly minutes: number
    /** Leads the owner on. Default: nothing does. */
    readonly link?: NoticeLink
  }
  readonly 'recovery-code-used': { readonly left: number }
  readonly 'recovery-codes-renewed': null
  readonly 'password-changed': null
  readonly 'password-reset': null
  readonly 'sessions-ended': null
}

/** What a mail reports. */
export type NoticeKind = keyof NoticeValues

interface NoticeOf<Kind extends NoticeKind> {
  readonly kind: Kind
  readonly accountId: string
  /** For how long a code in it can be used: it is not sent after that. Default: without an end. */
  readonly seconds?: number
}

/** A mail to the owner of an account, with the values of its kind, if that has any. */
export type Notice = {
  [Kind in NoticeKind]: NoticeOf<Kind> &
    (NoticeValues[Kind] extends null
      ? { readonly values?: undefined }
      : { readonly values: NoticeValues[Kind] })
}[NoticeKind]

// What changes the credentials: something may have stopped with them.
const CHANGES: ReadonlySet<string> = new Set<NoticeKind>([
  'factor-added',
  'factor-removed',
  'last-factor-removed',
  'recovery-codes-renewed',
  'password-changed',
  'password-reset',
  'sessions-ended',
])

type NoticeValue = string | number | ClientMessage | NoticeLink | NoticeTime
type Values = Readonly<Record<string, NoticeValue>>
type Say = (id: string, values?: Values) => string

/** The mails that tell the owner of an account what happened to it. */
export class Notices {
  readonly #mails = inject(Mails)
  readonly #outbox = inject(Outbox)
  readonly #translator = inject(Translator)
  readonly #clock = inject(Clock)
  readonly #origin = inject(Settings).origin
  readonly #parts = inject(Parts).all
  readonly #byOthers: ReadonlyMap<string, NoticeOfOthers> = new Map(
    inject(Parts).all.flatMap(({ noticesOfOthers = {} }) => Object.entries(noticesOfOthers)),
  )
  readonly #objections = inject(Parts).services('objectionLinks').at(0)

  /**
   * Writes the mail of a security event in its transaction, in the language of the account, with a link "this was not me" where a part makes
   * one.
   */
  async tell(notice: Notice, transaction: Transaction<Schema>): Promise<void> {
    if (!this.#outbox.areSent) return
    const { accountId, kind, seconds } = notice
    const values: Values = { ...notice.values }
    const account = await transaction
      .selectFrom('account')
      .select(['email', 'name', 'language'])
      .where('id', '=', accountId)
      .executeTakeFirst()
    if (account === undefined) return
    const language = languageOf(account.language)
    const say: Say = (id, given = {}) =>
      this.#translator.translate(language, { id: `notice.${id}`, values: this.#plain(given, language) })
    const paragraphs = [
      say('hello', { name: account.name }),
      say(`${kind}.text`, values),
      ...this.#linkOf(values, say),
      ...(CHANGES.has(kind) ? await this.#stopped(transaction, accountId, language) : []),
      say('when', { at: formatMailTime(this.#clock.timestamp(), language) }),
      this.#byOthers.get(kind) === 'done' ? say('ask') : await this.#objection(transaction, notice, say),
    ]
    const mail = {
      to: account.email,
      subject: say(`${kind}.subject`),
      text: paragraphs.join('\n\n'),
      language,
    }
    await this.#outbox.write({ kind, mail, seconds }, transaction)
  }

  async #stopped(
    transaction: Transaction<Schema>,
    accountId: string,
    language: Language,
  ): Promise<readonly string[]> {
    const found: string[] = []
    for (const part of this.#parts) {
      const stopped = await part.stopped?.(transaction, accountId, this.#clock.timestamp())
      if (stopped === undefined) continue
      const { id, names, path } = stopped
      const lines = [
        this.#translator.translate(language, { id }),
        ...names.map((name) => `- ${plainValue(name)}`),
      ]
      if (this.#origin() !== undefined) lines.push('', this.#mails.linkToPage(path))
      found.push(lines.join('\n'))
    }
    return found
  }

  #linkOf({ link }: Values, say: Say): readonly string[] {
    if (this.#origin() === undefined || typeof link !== 'object' || !('path' in link)) return []
    return [say(link.id), this.#mails.linkToPage(link.path)]
  }

  async #objection(transaction: Transaction<Schema>, { accountId, kind }: Notice, say: Say): Promise<string> {
    const isAsked = this.#byOthers.get(kind) === 'asked'
    const link =
      this.#origin() === undefined ? undefined : await this.#objections?.make(accountId, transaction)
    if (link === undefined) return say(isAsked ? 'ask' : 'object-by-hand')
    return [
      say(isAsked ? 'object-by-administrator' : 'object'),
      this.#mails.linkToPage(link.path),
      say('object.once', { days: link.days }),
    ].join('\n\n')
  }

  #plain(values: Values, language: Language): Readonly<Record<string, string | number>> {
    const toPlain = (value: NoticeValue): string | number => {
      if (typeof value === 'number') return value
      // An authenticator without a name is called by its kind, in the language of the mail.
      if (typeof value === 'string') {
        const id = kindNamedBy(value)
        return id === undefined ? plainValue(value) : this.#translator.translate(language, { id })
      }
      if ('path' in value) return ''
      if ('at' in value) return formatMailTime(value.at, language)
      return plainValue(this.#translator.translate(language, value))
    }
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toPlain(value)]))
  }
}
