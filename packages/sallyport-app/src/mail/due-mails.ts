import type { Expression, Kysely, Transaction } from 'kysely'
import type { Recipient } from './mail-writer.ts'

/** How many mails of a kind one run sends: the next one goes on. */
export const MAX_DUE = 1000

/** What a mail is about. */
export interface DueRow extends Recipient {
  /** Identifier. */
  readonly id: string
  /** Unix timestamp until which its owner can act. */
  readonly expires_at: number
}

/** What is asked for. */
export interface Due {
  /** Unix timestamp in seconds. */
  readonly now: number
  /** Query for the identifiers of which the owners were told. */
  readonly told: Expression<string>
}

/** What a mail is written with. */
export interface DueMail<Tables> {
  /** Unix timestamp in seconds. */
  readonly now: number
  /**
   * Makes a link.
   *
   * @param page Path of a page, without the base path.
   * @returns The link.
   */
  readonly linkTo: (page: string) => string
  /**
   * Notes that the owner is told.
   *
   * @param database The transaction that writes the mail.
   * @param found Query for what it is about, without a row when there is nothing to tell any more.
   * @returns Whether this call noted it: of several processes at once, one does.
   */
  readonly note: (
    database: Kysely<Tables>,
    found: Expression<{ id: string; expires_at: number }>,
  ) => Promise<boolean>
}

/** Mails that nobody's request sends, because a time has come. Each is sent once, whichever process does it. */
export interface DueMails<Tables, Kind extends string, Row extends DueRow> {
  /** What they are. */
  readonly kind: Kind
  /**
   * Finds what is due.
   *
   * @param database Where.
   * @param due What is asked for.
   * @returns Those whose owners were not told, {@link MAX_DUE} at most.
   */
  choose(database: Kysely<Tables>, due: Due): Promise<readonly Row[]>
  /**
   * Notes a mail.
   *
   * @param transaction That which writes the mail.
   * @param row What it is about.
   * @param mail What it is written with.
   * @returns Its values, once it is noted; undefined when there is nothing to tell any more, or another process is faster.
   */
  take(
    transaction: Transaction<Tables>,
    row: Row,
    mail: DueMail<Tables>,
  ): Promise<Readonly<Record<string, string>> | undefined>
}
