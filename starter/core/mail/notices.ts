import { getLogger } from '@logtape/logtape'
import { Clock, inject } from 'sallyport'
import { Translator } from 'sallyport/i18n'
import { type NoticeOfOthers, Parts } from '../part.ts'
import { Settings } from '../settings.ts'
import { Database } from '../database/database.ts'
import { kindNamedBy } from '../messages/factor-names.ts'
import { type Language, languageOf } from '../messages/language.ts'
import type { ClientMessage } from '../clients/client-messages.ts'
import { formatMailTime, plainValue } from './mail-values.ts'
import { Mails } from './mails.ts'
import type { NoticeLink } from './notice-link.ts'
import { ObjectionLinks } from './objection-links.ts'

const log = getLogger(['starter', 'mail'])

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

type NoticeValue = string | number | ClientMessage | NoticeLink | NoticeTime

/** What a mail reports. */
export type NoticeKind = keyof NoticeValues

/** The values of a kind, if it has any. */
export type ValuesOf<Kind extends NoticeKind> = NoticeValues[Kind] extends null
  ? []
  : [values: NoticeValues[Kind]]

/** The mails that tell the owner of an account what happened to it. */
export class Notices {
  readonly #database = inject(Database)
  readonly #mails = inject(Mails)
  readonly #translator = inject(Translator)
  readonly #clock = inject(Clock)
  readonly #origin = inject(Settings).origin
  readonly #byOthers: ReadonlyMap<string, NoticeOfOthers> = new Map(
    inject(Parts).all.flatMap(({ noticesOfOthers = {} }) => Object.entries(noticesOfOthers)),
  )
  readonly #objections = inject(
    inject(Parts).all.find(({ objectionLinks }) => objectionLinks)?.objectionLinks ?? ObjectionLinks,
  )

  /**
   * Sends the mail of a security event, in the language of the account, with a link "this was not me" where a part makes one. To be called after the
   * transaction of the event has committed. It never fails: what happened has happened, and a mail that could not be sent is
   * logged. The mail server is not waited for.
   */
  async tell<Kind extends NoticeKind>(
    accountId: string,
    kind: Kind,
    ...[values]: ValuesOf<Kind>
  ): Promise<void> {
    if (!this.#mails.areSent) return
    try {
      const account = await this.#accountOf(accountId)
      if (account === undefined) return
      const language = languageOf(account.language)
      const translate = (message: ClientMessage): string => this.#translator.translate(language, message)
      const say: Say = (id, given = {}) =>
        this.#translator.translate(language, {
          id: `notice.${id}`,
          values: plainValues(given, { language, translate }),
        })
      const paragraphs = [
        say('hello', { name: account.name }),
        say(`${kind}.text`, { ...values }),
        ...this.#linkOf({ ...values }, say),
        say('when', { at: formatMailTime(this.#clock.timestamp(), language) }),
        this.#byOthers.get(kind) === 'done' ? say('ask') : await this.#objection(accountId, { kind, say }),
      ]
      this.#mails.deliver(kind, {
        to: account.email,
        subject: say(`${kind}.subject`),
        text: paragraphs.join('\n\n'),
      })
    } catch (error) {
      log.error('A mail of the kind {kind} could not be sent', { kind, error })
    }
  }

  #linkOf(values: Readonly<Record<string, NoticeValue>>, say: Say): readonly string[] {
    const { link } = values
    if (this.#origin() === undefined || typeof link !== 'object' || !('path' in link)) return []
    return [say(link.id), this.#mails.linkToPage(link.path)]
  }

  async #objection(
    accountId: string,
    { kind, say }: { readonly kind: NoticeKind; readonly say: Say },
  ): Promise<string> {
    const isDone = this.#byOthers.get(kind) === 'asked'
    const link = this.#origin() === undefined ? undefined : await this.#objections.make(accountId)
    if (link === undefined) return say(isDone ? 'ask' : 'object-by-hand')
    return [
      say(isDone ? 'object-by-administrator' : 'object'),
      this.#mails.linkToPage(link.path),
      say('object.once', { days: link.days }),
    ].join('\n\n')
  }

  #accountOf(
    id: string,
  ): Promise<{ readonly email: string; readonly name: string; readonly language: string } | undefined> {
    return this.#database
      .selectFrom('account')
      .select(['email', 'name', 'language'])
      .where('id', '=', id)
      .executeTakeFirst()
  }
}

type Say = (id: string, values?: Readonly<Record<string, NoticeValue>>) => string

function plainValues(
  values: Readonly<Record<string, NoticeValue>>,
  {
    language,
    translate,
  }: { readonly language: Language; readonly translate: (message: ClientMessage) => string },
): Readonly<Record<string, string | number>> {
  const toPlain = (value: NoticeValue): string | number => {
    if (typeof value === 'number') return value
    if (typeof value === 'object' && 'path' in value) return ''
    if (typeof value === 'object' && 'at' in value) return formatMailTime(value.at, language)
    if (typeof value === 'object') return plainValue(translate(value))
    // An authenticator without a name is called by its kind, in the language of the mail.
    const kind = kindNamedBy(value)
    return kind === undefined ? plainValue(value) : translate({ id: kind })
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toPlain(value)]))
}
