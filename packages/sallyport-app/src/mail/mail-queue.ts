import { randomInt } from 'node:crypto'
import type { Transaction, Updateable } from 'kysely'
import { Clock, inject, Secret } from 'sallyport'
import { Database, endFound, orderedId } from '../database/index.ts'
import { narrowed } from '../database/internal.ts'
import { SealedColumn } from '../keys/index.ts'
import type { MailTable, MailTables } from './mail-table.ts'
import type { Mail } from './mailer.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long a process may take to send a mail that it has taken: longer than the mail server can keep it waiting. */
export const LEASE_SECONDS: number = 5 * MINUTE
/** For how long sending is tried again. */
export const TRIED_SECONDS: number = DAY
/** How long a mail that was given up is kept for an operator. */
export const GIVEN_UP_SECONDS: number = 7 * DAY

const FIRST_DELAY_SECONDS = 30
const MAX_DELAY_SECONDS = HOUR
// With the longest delay and its jitter: what is due later was written before the clock was set back.
const MAX_WAIT_SECONDS = MAX_DELAY_SECONDS + MAX_DELAY_SECONDS / 4
// Rows that are looked at for one that no other process takes meanwhile.
const LOOKED_AT = 20

/** A mail for the queue. */
export interface QueuedMail {
  /** What the log and operators call it. */
  readonly kind: string
  /** The mail. */
  readonly mail: Mail
  /** Unix timestamp after which its link or code is of no use, and it is not sent any more. Default: none. */
  readonly endsAt?: number
}

/** A mail that this process has taken, to send it. */
export type TakenMail = Pick<MailTable, 'id' | 'kind' | 'sealed' | 'made_at' | 'attempts'>

/**
 * The mails that wait to be sent. One is written in the transaction of what it is about, and deleted once it is sent. The content is
 * sealed with the keys of the application: a copy of the database opens no link. One process takes a mail, which the row count
 * decides, and has {@link LEASE_SECONDS} to send it. A process that is killed in between loses no mail: another one takes it after that,
 * and sends it a second time if the first had sent it and not deleted it yet.
 */
export class MailQueue {
  readonly #database = inject(Database<MailTables>)
  readonly #clock = inject(Clock)
  readonly #sealed = new SealedColumn({
    table: 'mail',
    column: 'sealed',
    owner: 'id',
    purpose: 'mail',
    things: 'emails',
  })

  /**
   * Adds a mail, in the transaction of what it is about.
   *
   * @param transaction Where.
   * @param queued The mail.
   */
  async add<Tables extends MailTables>(transaction: Transaction<Tables>, queued: QueuedMail): Promise<void> {
    const { kind, mail, endsAt } = queued
    const id = orderedId(this.#clock)
    const now = this.#clock.timestamp()
    const sealed = this.#sealed.seal(id, new Secret(JSON.stringify(mail)))
    const row = { id, kind, sealed, made_at: now, ends_at: endsAt ?? null, due_at: now, attempts: 0 }
    await narrowed<MailTables, Tables>(transaction).insertInto('mail').values(row).execute()
  }

  /**
   * Takes the next mail that is due. Those that came too late are deleted. A clock that was set back holds no mail up: a new one is due at once, and a postponed one no later than the longest delay.
   *
   * @returns The mail, which no other process sends now; undefined for none.
   */
  async take(): Promise<TakenMail | undefined> {
    const now = this.#clock.timestamp()
    await endFound(
      this.#database.selectFrom('mail').select('id').where('ends_at', '<=', now),
      this.#database.deleteFrom('mail').where('ends_at', '<=', now),
    )
    const due = await this.#database
      .selectFrom('mail')
      .select(['id', 'kind', 'sealed', 'made_at', 'attempts'])
      .where('given_up_at', 'is', null)
      .where((where) =>
        where.or([
          where('due_at', '<=', now),
          where('due_at', '>', now + MAX_WAIT_SECONDS),
          where('attempts', '=', 0),
        ]),
      )
      .orderBy('due_at')
      .orderBy('id')
      .limit(LOOKED_AT)
      .execute()
    for (const mail of due) {
      const attempts = mail.attempts + 1
      const taken = await this.#change(mail, { attempts, due_at: now + LEASE_SECONDS })
      if (taken) return { ...mail, attempts }
    }
    return undefined
  }

  /**
   * Unseals a mail.
   *
   * @param mail Its row.
   * @returns Its content.
   * @throws {UnreadableSecretException} If it was sealed with a key that is not configured.
   */
  open(mail: Pick<MailTable, 'id' | 'sealed'>): Mail {
    return parse(this.#sealed.open(mail.id, mail.sealed))
  }

  /**
   * Names the recipient of a mail.
   *
   * @param mail Its row.
   * @returns The address that it goes to; undefined where no key opens it.
   */
  recipientOf(mail: Pick<MailTable, 'id' | 'sealed'>): string | undefined {
    const opened = this.#sealed.tryToOpen(mail.id, mail.sealed)
    return opened === undefined ? undefined : parse(opened).to
  }

  /**
   * Deletes a mail that was sent.
   *
   * @param mail What was taken.
   */
  async remove(mail: TakenMail): Promise<void> {
    await this.#database.deleteFrom('mail').where('id', '=', mail.id).execute()
  }

  /**
   * Lets a mail wait that could not be sent: longer each time, and not all for the same time.
   *
   * @param mail What was taken.
   * @param failure Why, without a word that names somebody.
   */
  async postpone(mail: TakenMail, failure: string): Promise<void> {
    const now = this.#clock.timestamp()
    const delay = Math.min(FIRST_DELAY_SECONDS * 2 ** (mail.attempts - 1), MAX_DELAY_SECONDS)
    const jitter = randomInt(Math.ceil(delay / 4))
    await this.#change(mail, { failure, due_at: now + delay + jitter })
  }

  /**
   * Gives a mail up: what waits for an operator is not tried again by itself.
   *
   * @param mail What was taken.
   * @param failure Why, without a word that names somebody.
   */
  async giveUp(mail: TakenMail, failure: string): Promise<void> {
    await this.#change(mail, { failure, given_up_at: this.#clock.timestamp() })
  }

  /**
   * Says whether a mail is to be given up.
   *
   * @param mail What was taken.
   * @returns Whether it was tried for a day.
   */
  isOld(mail: TakenMail): boolean {
    return this.#clock.timestamp() - mail.made_at >= TRIED_SECONDS
  }

  /**
   * Seals the mails with the first key that another one had sealed. It may run while they are sent.
   *
   * @returns How many.
   */
  reseal(): Promise<number> {
    return this.#sealed.reseal()
  }

  /**
   * Deletes mails that nobody will send: those that were given up long ago, or wait where no mails are sent any more.
   *
   * @returns How many.
   */
  async sweep(): Promise<bigint> {
    const left = this.#clock.timestamp() - GIVEN_UP_SECONDS - TRIED_SECONDS
    const { numDeletedRows } = await this.#database
      .deleteFrom('mail')
      .where('made_at', '<=', left)
      .executeTakeFirst()
    return numDeletedRows
  }

  // The number of attempts is the version of the row: who was too slow for the lease changes nothing any more.
  async #change(
    { id, attempts }: Pick<MailTable, 'id' | 'attempts'>,
    change: Updateable<MailTable>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('mail')
      .set(change)
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .where('given_up_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }
}

function parse(opened: Secret): Mail {
  return JSON.parse(opened.reveal()) as Mail
}
