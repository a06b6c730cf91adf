import type { Expression, Kysely, Transaction } from 'kysely'
import type { Schema } from './database/schema.ts'
import type { MailKind, Recipient } from './mail/mails.ts'

/** How many mails of a kind one run sends: the next one goes on. */
export const MAX_DUE = 1000

export interface DueRow extends Recipient {
  readonly id: string
  /** Unix timestamp until which its owner can act. */
  readonly expires_at: number
}

export interface Due {
  readonly now: number
  /** Query for the identifiers of which the owners were told. */
  readonly told: Expression<string>
}

export interface DueMail {
  readonly now: number
  /** Makes a link of the path of a page, without the base path. */
  readonly linkTo: (path: string) => string
  /**
   * Notes that the owner is told. `found`: query for what it is about, without a row when there is nothing to tell any more. It returns
   * whether this call noted it: of several processes at once, one does.
   */
  readonly note: (
    database: Kysely<Schema>,
    found: Expression<{ id: string; expires_at: number }>,
  ) => Promise<boolean>
}

/** Mails that nobody's request sends, because a time has come. Each is sent once, whichever process does it. */
export interface DueMails<Row extends DueRow> {
  readonly kind: MailKind
  /** @returns Those whose owners were not told, {@link MAX_DUE} at most. */
  choose(database: Kysely<Schema>, due: Due): Promise<readonly Row[]>
  /** @returns Values of the mail, once it is noted, in the transaction that writes it; undefined when there is nothing to tell any more, or another process is faster. */
  take(
    transaction: Transaction<Schema>,
    row: Row,
    mail: DueMail,
  ): Promise<Readonly<Record<string, string>> | undefined>
}
