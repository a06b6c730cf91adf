import { Clock, inject } from 'sallyport'
import { Database } from '../../database/database.ts'
import { READY_RECOVERIES } from './ready-recoveries.ts'
import { ENDING_TOKENS } from './ending-tokens.ts'
import type { DueMails, DueRow } from './due-mails.ts'
import { formatMailTime } from '../../identity/mail/mail-values.ts'
import { Mails } from '../../identity/mail/mails.ts'

/**
 * The mails that nobody's request sends: the waiting time of a recovery is over, a token ends soon. Each is sent once, after it was
 * noted: a process that ends in between loses the mail rather than sending it twice.
 */
export class Reminders {
  readonly #database = inject(Database)
  readonly #mails = inject(Mails)
  readonly #clock = inject(Clock)

  /**
   * Sends what is due. It may run at any time, and in several processes at once. Where no mails are sent, nothing is noted.
   *
   * @returns How many mails were sent.
   */
  async run(): Promise<number> {
    if (!this.#mails.areSent) return 0
    return (await this.#send(READY_RECOVERIES)) + (await this.#send(ENDING_TOKENS))
  }

  async #send<Row extends DueRow>(due: DueMails<Row>): Promise<number> {
    const now = this.#clock.timestamp()
    const linkTo = (path: string): string => this.#mails.linkToPage(path)
    let count = 0
    for (const row of await due.choose(this.#database, now)) {
      const values = await due.take(this.#database, { row, now, linkTo })
      if (values === undefined) continue
      this.#mails.send(due.kind, row, { ...values, at: formatMailTime(row.expires_at, row.language) })
      count += 1
    }
    return count
  }
}
