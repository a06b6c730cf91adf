import type { Transaction } from 'kysely'
import { inject } from 'sallyport'
import { type DueMails as AnyDueMails, type DueRow, MailWriter } from 'sallyport-app/mail'
import type { Schema } from '../database/schema.ts'
import { CORE_TEXTS, languageOf } from '../messages/language.ts'
import { Settings } from '../settings.ts'

export type { Recipient } from 'sallyport-app/mail'

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

/** Mails that nobody's request sends, because a time has come. */
export type DueMails<Row extends DueRow = DueRow> = AnyDueMails<Schema, MailKind, Row>

/** Writes the mail about a request in its transaction. */
export type WriteMail<Request> = (request: Request, transaction: Transaction<Schema>) => Promise<void>

/** Words the mails to addresses, and leaves them in the outbox. */
export class Mails extends MailWriter<MailKind> {
  constructor() {
    super(inject(Settings), (language) => CORE_TEXTS[languageOf(language)].about.dates)
  }
}
