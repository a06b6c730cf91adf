import { type Expression, type Kysely, sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import { allOrNothing, Database, type Statement } from '../database/index.ts'
import { narrowed } from '../database/internal.ts'
import type { DueMails, DueRow } from './due-mails.ts'
import type { MailTables } from './mail-table.ts'
import type { MailWriter } from './mail-writer.ts'
import { Outbox } from './outbox.ts'

/** One row for each mail that was sent because a time had come. */
export interface ReminderTable {
  /** Identifier of what it is about. */
  about: string
  /** Unix timestamp until which its owner could act: the application deletes the row some time after that. */
  expires_at: number
}

/** What the schema of an application has for reminders. */
export interface ReminderTables {
  /** Them. */
  reminder: ReminderTable
}

/** What makes the table of reminders: a migration of the application has these statements. They are never edited. */
export const reminderTables: readonly Statement[] = [
  'CREATE TABLE reminder (about TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  'CREATE INDEX reminder_age ON reminder (expires_at)',
]

/** Sends the mails that nobody's request sends. Each is noted and written in one transaction. */
export class Reminders<Tables extends MailTables & ReminderTables> {
  readonly #database = inject(Database<Tables>)
  readonly #outbox = inject(Outbox)
  readonly #clock = inject(Clock)

  /**
   * Sends what is due. It may run at any time, and in several processes at once. Where no mails are sent, nothing is noted.
   *
   * @param writer Words the mails.
   * @param kinds What may be due.
   * @returns How many were written.
   */
  async run<Kind extends string>(
    writer: MailWriter<Kind>,
    kinds: readonly DueMails<Tables, Kind, DueRow>[],
  ): Promise<number> {
    if (!writer.areSent) return 0
    let count = 0
    for (const due of kinds) count += await this.#send(writer, due)
    await this.#outbox.sendNew()
    return count
  }

  async #send<Kind extends string>(
    writer: MailWriter<Kind>,
    due: DueMails<Tables, Kind, DueRow>,
  ): Promise<number> {
    const now = this.#clock.timestamp()
    const linkTo = (page: string): string => writer.linkToPage(page)
    const told = sql<string>`(SELECT about FROM reminder)`
    let count = 0
    for (const row of await due.choose(this.#database, { now, told })) {
      const isTold = await allOrNothing(this.#database, async (transaction) => {
        const values = await due.take(transaction, row, { now, linkTo, note })
        if (values === undefined) return undefined
        const at = { at: row.expires_at }
        await writer.send({ kind: due.kind, to: row, values: { ...values, at } }, transaction)
        return true
      })
      if (isTold === true) count += 1
    }
    return count
  }
}

// Of several processes at once, one tells: the row count decides.
async function note<Tables extends ReminderTables>(
  database: Kysely<Tables>,
  found: Expression<{ id: string; expires_at: number }>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await narrowed<ReminderTables, Tables>(database)
    .insertInto('reminder')
    .columns(['about', 'expires_at'])
    .expression(found)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}
