import type { Expression, Kysely } from 'kysely'
import type { Schema } from './database/schema.ts'
import type { MailKind, Recipient } from './mail/mails.ts'

/** How many mails of a kind one run sends: the next one goes on. */
export const MAX_DUE = 1000

/** What a mail is about. */
export interface DueRow extends Recipient {
  readonly id: string
  /** Unix timestamp until which its owner can act. */
  readonly expires_at: number
}

/** A row that is noted as told, when that is, and what makes a link of the path of a page, without the base path. */
export interface Told<Row> {
  readonly row: Row
  /** Unix timestamp in seconds. */
  readonly now: number
  readonly linkTo: (path: string) => string
  /**
   * Notes that the owner is told: of several processes at once, one does. `found`: query for what it is about, without a row when there
   * is nothing to tell any more. It returns whether this call noted it.
   */
  readonly note: (
    database: Kysely<Schema>,
    found: Expression<{ id: string; expires_at: number }>,
  ) => Promise<boolean>
}

/** What is due. */
export interface Due {
  readonly now: number
  readonly told: Expression<string>
}

/** Mails that nobody's request sends, because a time has come. Each is sent once, whichever process does it. */
export interface DueMails<Row extends DueRow> {
  /** Which mail. */
  readonly kind: MailKind
  /**
   * @param due `now`: Unix timestamp in seconds; `told`: query for the identifiers of which the owners were told.
   * @returns Those whose owners were not told, {@link MAX_DUE} at most.
   */
  choose(database: Kysely<Schema>, due: Due): Promise<readonly Row[]>
  /**
   * Notes that the owner is told. The row count decides.
   *
   * @returns Values of the mail; undefined when there is nothing to tell any more, or another process is faster.
   */
  take(database: Kysely<Schema>, told: Told<Row>): Promise<Readonly<Record<string, string>> | undefined>
}
