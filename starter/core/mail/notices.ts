import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { Letter, LetterValues, MailMessage } from 'sallyport-app/mail'
import type { Schema } from '../database/schema.ts'
import { kindNamedBy } from '../messages/factor-names.ts'
import { languageOf } from '../messages/language.ts'
import { type NoticeOfOthers, Parts } from '../part.ts'
import { Mails } from './mails.ts'
import type { NoticeLink } from './objection-links.ts'

/** The kinds of notices with the values of their texts, null for none. Each has the messages `notice.<kind>.subject` and `notice.<kind>.text`. */
export interface NoticeValues {
  /** A sign-in from a network and with a device that were never seen for the account. */
  readonly 'new-sign-in': { readonly device: MailMessage; readonly place: MailMessage }
  /** The password was right, and the second step was wrong again and again. */
  readonly 'factor-refused': null
  /** The same after a link in a mail, which stood for the password. */
  readonly 'factor-refused-by-link': null
  readonly 'factor-added': { readonly label: string }
  readonly 'factor-removed': { readonly label: string }
  /** The password alone signs in from now on. */
  readonly 'last-factor-removed': { readonly label: string }
  readonly 'factor-locked': {
    readonly factor: MailMessage
    readonly minutes: number
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
  /** Leads the owner on. Default: nothing does. */
  readonly link?: NoticeLink | undefined
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

/** The mails that tell the owner of an account what happened to it. */
export class Notices {
  readonly #mails = inject(Mails)
  readonly #clock = inject(Clock)
  readonly #parts = inject(Parts).all
  readonly #objections = inject(Parts).services('objectionLinks').at(0)
  readonly #ofOthers: ReadonlyMap<string, NoticeOfOthers> = new Map(
    this.#parts.flatMap(({ noticesOfOthers = {} }) => Object.entries(noticesOfOthers)),
  )

  /**
   * Writes the mail of a security event in its transaction, in the language of the account, with a link "this was not me" where a part makes
   * one.
   */
  async tell(notice: Notice, transaction: Transaction<Schema>): Promise<void> {
    if (!this.#mails.areSent) return
    const { accountId, kind, link, seconds } = notice
    const account = await transaction
      .selectFrom('account')
      .select(['email', 'name', 'language'])
      .where('id', '=', accountId)
      .executeTakeFirst()
    if (account === undefined) return
    const to = { email: account.email, language: languageOf(account.language) }
    const letter = this.#mails.letterIn(to.language)
    letter
      .say('notice.hello', { name: account.name })
      .say(`notice.${kind}.text`, inWords({ ...notice.values }))
    if (link !== undefined && letter.hasLinks) letter.say(`notice.${link.id}`).link(link.path)
    if (CHANGES.has(kind)) await this.#sayStopped(letter, transaction, accountId)
    letter.say('notice.when', { at: { at: this.#clock.timestamp() } })
    await this.#sayObjection(letter, transaction, notice)
    await this.#mails.post({ kind, to, subject: `notice.${kind}.subject`, letter, seconds }, transaction)
  }

  async #sayStopped(letter: Letter, transaction: Transaction<Schema>, accountId: string): Promise<void> {
    for (const part of this.#parts) {
      const stopped = await part.stopped?.(transaction, accountId, this.#clock.timestamp())
      if (stopped !== undefined) letter.list(stopped.id, stopped.names).link(stopped.path)
    }
  }

  async #sayObjection(
    letter: Letter,
    transaction: Transaction<Schema>,
    { accountId, kind }: Notice,
  ): Promise<void> {
    const ofOthers = this.#ofOthers.get(kind)
    const canObject = letter.hasLinks && ofOthers !== 'done'
    const link = canObject ? await this.#objections?.make(accountId, transaction) : undefined
    if (link === undefined) letter.say(ofOthers === undefined ? 'notice.object-by-hand' : 'notice.ask')
    else
      letter
        .say(ofOthers === 'asked' ? 'notice.object-by-administrator' : 'notice.object')
        .link(link.path)
        .say('notice.object.once', { days: link.days })
  }
}

// An authenticator without a name is called by its kind, in the language of the mail.
function inWords(values: LetterValues): LetterValues {
  const entries = Object.entries(values).map(([name, value]) => {
    const id = typeof value === 'string' ? kindNamedBy(value) : undefined
    return [name, id === undefined ? value : { id }]
  })
  return Object.fromEntries(entries) as LetterValues
}
