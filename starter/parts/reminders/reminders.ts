import { type Expression, type Kysely, sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import { allOrNothing } from 'sallyport-app/database'
import { type DueRow, Outbox } from 'sallyport-app/mail'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import { Parts } from '../../core/part.ts'
import { type DueMails, Mails } from '../../core/mail/mails.ts'

/**
 * The mails that nobody's request sends: the waiting time of a recovery is over, a token ends soon. Each is noted and
 * written in one transaction.
 */
export class Reminders {
  readonly #database = inject(Database)
  readonly #mails = inject(Mails)
  readonly #outbox = inject(Outbox)
  readonly #clock = inject(Clock)
  readonly #due = inject(Parts).all.flatMap(({ dueMails = [] }) => dueMails)

  /** Sends what is due. It may run at any time, and in several processes at once. Where no mails are sent, nothing is noted. */
  async run(): Promise<number> {
    if (!this.#mails.areSent) return 0
    let count = 0
    for (const due of this.#due) count += await this.#send(due)
    return count
  }

  async #send<Row extends DueRow>(due: DueMails<Row>): Promise<number> {
    const now = this.#clock.timestamp()
    const linkTo = (path: string): string => this.#mails.linkToPage(path)
    const told = sql<string>`(SELECT about FROM reminder)`
    let count = 0
    for (const row of await due.choose(this.#database, { now, told })) {
      const isTold = await allOrNothing(this.#database, async (transaction) => {
        const values = await due.take(transaction, row, { now, linkTo, note })
        if (values === undefined) return undefined
        const at = { at: row.expires_at }
        await this.#mails.send({ kind: due.kind, to: row, values: { ...values, at } }, transaction)
        return true
      })
      if (isTold === true) count += 1
    }
    await this.#outbox.sendNew()
    return count
  }
}

// Of several processes at once, one tells: the row count decides.
async function note(
  database: Kysely<Schema>,
  found: Expression<{ id: string; expires_at: number }>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('reminder')
    .columns(['about', 'expires_at'])
    .expression(found)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}
