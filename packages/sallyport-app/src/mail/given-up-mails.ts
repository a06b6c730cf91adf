import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Database } from '../database/index.ts'
import { narrowed } from '../database/internal.ts'
import { MailQueue } from './mail-queue.ts'
import type { MailTables } from './mail-table.ts'

const MAX_LISTED = 100

/** How the queue is doing. */
export interface QueueStatus {
  /** Mails that wait to be sent. */
  readonly waiting: number
  /** When the oldest of them was written, as a Unix timestamp; null for none. */
  readonly oldest: number | null
  /** Mails that were given up. */
  readonly givenUp: number
}

/** A mail that was given up. */
export interface GivenUpMail {
  /** Identifier, for {@link GivenUpMails.retry} and {@link GivenUpMails.drop}. */
  readonly id: string
  /** Its kind, such as `confirm`. */
  readonly kind: string
  /** Address of the recipient; undefined where no key opens it. */
  readonly to: string | undefined
  /** When it was written, as a Unix timestamp in seconds. */
  readonly madeAt: number
  /** When it was given up. */
  readonly givenUpAt: number
  /** How often it was tried. */
  readonly attempts: number
  /** Reply code of the mail server, or code of the error. */
  readonly failure: string
}

/** In place of the identifier of a mail: all that were given up. */
export const ALL_MAILS = 'all'

/** The mails that could not be sent, for operators. */
export class GivenUpMails {
  readonly #database = inject(Database<MailTables>)
  readonly #queue = inject(MailQueue)
  readonly #clock = inject(Clock)

  /**
   * Counts.
   *
   * @returns How the queue is doing.
   */
  async status(): Promise<QueueStatus> {
    const waiting = await this.#database
      .selectFrom('mail')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<number | null>('made_at').as('oldest')])
      .where('given_up_at', 'is', null)
      .executeTakeFirstOrThrow()
    const given = await this.#database
      .selectFrom('mail')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('given_up_at', 'is not', null)
      .executeTakeFirstOrThrow()
    const { count, oldest } = waiting
    return { waiting: count, oldest, givenUp: given.count }
  }

  /**
   * Lists the newest.
   *
   * @returns At most a hundred, without their texts.
   */
  async list(): Promise<readonly GivenUpMail[]> {
    const rows = await this.#database
      .selectFrom('mail')
      .selectAll()
      .where('given_up_at', 'is not', null)
      .orderBy('given_up_at', 'desc')
      .orderBy('id')
      .limit(MAX_LISTED)
      .execute()
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      to: this.#queue.recipientOf(row),
      madeAt: row.made_at,
      givenUpAt: row.given_up_at ?? 0,
      attempts: row.attempts,
      failure: row.failure ?? '',
    }))
  }

  /**
   * Puts mails back into the queue, for another day. Of several operators at once, each is told of those that it has decided about.
   *
   * @param chosen Identifier of one, or {@link ALL_MAILS}.
   * @param transaction Where: what the application records of it belongs to the same.
   * @returns How many.
   */
  async retry<Tables extends MailTables>(chosen: string, transaction: Transaction<Tables>): Promise<number> {
    const now = this.#clock.timestamp()
    const { numUpdatedRows } = await narrowed<MailTables, Tables>(transaction)
      .updateTable('mail')
      .set({ given_up_at: null, made_at: now, due_at: now, attempts: 0 })
      .where('given_up_at', 'is not', null)
      .$if(chosen !== ALL_MAILS, (query) => query.where('id', '=', chosen))
      .executeTakeFirst()
    return Number(numUpdatedRows)
  }

  /**
   * Deletes mails.
   *
   * @param chosen Identifier of one, or {@link ALL_MAILS}.
   * @param transaction Where.
   * @returns How many.
   */
  async drop<Tables extends MailTables>(chosen: string, transaction: Transaction<Tables>): Promise<number> {
    const { numDeletedRows } = await narrowed<MailTables, Tables>(transaction)
      .deleteFrom('mail')
      .where('given_up_at', 'is not', null)
      .$if(chosen !== ALL_MAILS, (query) => query.where('id', '=', chosen))
      .executeTakeFirst()
    return Number(numDeletedRows)
  }
}
