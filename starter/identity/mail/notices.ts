import { getLogger } from '@logtape/logtape'
import { Clock, inject } from 'sallyport'
import { Translator } from 'sallyport/i18n'
import { Settings } from '../../settings.ts'
import { Database } from '../../database/database.ts'
import { kindNamedBy } from '../../messages/factor-names.ts'
import { type Language, languageOf } from '../../messages/language.ts'
import type { ClientMessage } from '../clients/client-messages.ts'
import { formatMailTime, plainValue } from './mail-values.ts'
import { Mails } from './mails.ts'
import { createObjection, OBJECTION_DAYS } from './objection-token.ts'

const log = getLogger(['starter', 'mail'])

/** A link in a notice. It is left out where there is no origin to begin it with. */
export interface NoticeLink {
  /** Message before it, without `notice.`. */
  readonly id: string
  /** Its path, without the base path. */
  readonly path: string
}

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
    readonly link: NoticeLink
  }
  /** A browser may go on although a factor is locked. */
  readonly 'factor-unlocked': null
  readonly 'factor-unlock-failed': null
  /** A passkey proved something, and its counter went backwards, as that of a copy would. */
  readonly 'passkey-backwards': { readonly label: string }
  /** The same where the policy refuses it: it proved nothing. */
  readonly 'passkey-backwards-refused': { readonly label: string }
  /** A code that stands in for the second step. */
  readonly 'sign-in-code': { readonly code: string; readonly minutes: number }
  readonly 'recovery-code-used': { readonly left: number }
  readonly 'recovery-codes-renewed': null
  readonly 'password-changed': null
  readonly 'password-reset': null
  readonly 'deletion-stopped': null
  readonly 'recovery-cancelled': null
  readonly 'factors-replaced': { readonly label: string }
  readonly 'sessions-ended': null
  readonly 'sessions-ended-by-administrator': null
  /** An administrator asked for the removal of the factors, which another one has to approve. */
  readonly 'factors-reset-asked': null
  /** An administrator removed the factors. */
  readonly 'factors-reset': null
  readonly 'account-disabled': null
  readonly 'account-enabled': null
  readonly 'token-created': { readonly name: string }
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

  /**
   * Sends the mail of a security event, in the language of the account, with a link "this was not me". To be called after the
   * transaction of the event has committed. It never fails: what happened has happened, and a mail that could not be sent is
   * logged. The mail server is not waited for.
   *
   * @param accountId Account reference.
   * @param kind What happened.
   * @param values Values of the text.
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
        BY_ADMINISTRATOR.has(kind) ? say('ask') : await this.#objection(accountId, { kind, say }),
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
    const isDone = ASKED_OF_ADMINISTRATOR.has(kind)
    if (this.#origin() === undefined) return say(isDone ? 'ask' : 'object-by-hand')
    const token = await createObjection(this.#database, accountId, this.#clock)
    const link = this.#mails.linkToPage(`/not-me/${token}`)
    return [
      say(isDone ? 'object-by-administrator' : kind === 'sign-in-code' ? 'object-code' : 'object'),
      link,
      say('object.once', { days: OBJECTION_DAYS }),
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

// What the owner did not do, and cannot undo by a link.
const BY_ADMINISTRATOR: ReadonlySet<NoticeKind> = new Set([
  'account-disabled',
  'account-enabled',
  'factors-reset-asked',
  'sessions-ended-by-administrator',
])

// What the owner may have asked for, and did not do. There is something to do after it in any case.
const ASKED_OF_ADMINISTRATOR: ReadonlySet<NoticeKind> = new Set(['factors-reset'])

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
