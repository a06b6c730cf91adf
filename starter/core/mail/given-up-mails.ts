import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { MailQueue } from './mail-queue.ts'

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
  readonly id: string
  readonly kind: string
  /** Address of the recipient; undefined where no key opens it. */
  readonly to: string | undefined
  /** Unix timestamps in seconds. */
  readonly madeAt: number
  readonly givenUpAt: number
  readonly attempts: number
  /** Reply code of the mail server, or code of the error. */
  readonly failure: string
}

/** Who decides about a mail, as the audit trail names them. */
export interface MailActor {
  readonly actor: string
  readonly clientAddress: string
  readonly device: string
}

/** In place of the identifier of a mail: all that were given up. */
export const ALL_MAILS = 'all'

/** The mails that could not be sent, for operators. */
export class GivenUpMails {
  readonly #database = inject(Database)
  readonly #queue = inject(MailQueue)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)

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

  /** @returns The newest, without their texts. */
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
   * Puts mails back into the queue, for another day.
   *
   * @param chosen Identifier of one, or {@link ALL_MAILS}.
   * @returns How many.
   */
  retry(chosen: string, by: MailActor): Promise<number> {
    const now = this.#clock.timestamp()
    return this.#decide(AuditEvent.MailsRetried, by, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('mail')
        .set({ given_up_at: null, made_at: now, due_at: now, attempts: 0 })
        .where('given_up_at', 'is not', null)
        .$if(chosen !== ALL_MAILS, (query) => query.where('id', '=', chosen))
        .executeTakeFirst()
      return numUpdatedRows
    })
  }

  /**
   * Deletes mails.
   *
   * @param chosen Identifier of one, or {@link ALL_MAILS}.
   * @returns How many.
   */
  drop(chosen: string, by: MailActor): Promise<number> {
    return this.#decide(AuditEvent.MailsDropped, by, async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('mail')
        .where('given_up_at', 'is not', null)
        .$if(chosen !== ALL_MAILS, (query) => query.where('id', '=', chosen))
        .executeTakeFirst()
      return numDeletedRows
    })
  }

  // Of several operators at once, each is told of the mails that it has decided about.
  #decide(
    kind: typeof AuditEvent.MailsRetried | typeof AuditEvent.MailsDropped,
    by: MailActor,
    change: (transaction: Transaction<Schema>) => Promise<bigint>,
  ): Promise<number> {
    return this.#database.transaction().execute(async (transaction) => {
      const count = Number(await change(transaction))
      if (count > 0)
        await this.#audit.record({ kind, accountId: null, ...by, detail: String(count) }, transaction)
      return count
    })
  }
}
