import { inject } from 'sallyport'
import { type AuditEntry, AuditTrail, type EventTables } from '../audit/index.ts'
import { Database } from '../database/index.ts'
import { GivenUpMails } from './given-up-mails.ts'
import type { MailTables } from './mail-table.ts'

/** Who decides about a mail, as the audit trail names them. */
export type MailActor = Required<Pick<AuditEntry, 'actor' | 'clientAddress' | 'device'>>

const EVENTS = { retry: 'mails-retried', drop: 'mails-dropped' } as const

/** What operators decide about mails that could not be sent. It is recorded with the decision, as `mails-retried` or `mails-dropped`. */
export class MailDecisions {
  readonly #database = inject(Database<EventTables & MailTables>)
  readonly #mails = inject(GivenUpMails)
  readonly #audit = inject(AuditTrail<string>)

  /**
   * Puts mails back into the queue, or deletes them.
   *
   * @param decision What is done.
   * @param chosen Identifier of a mail, or `ALL_MAILS`.
   * @param by Who decides.
   * @returns How many mails it was about.
   */
  make(decision: 'retry' | 'drop', chosen: string, by: MailActor): Promise<number> {
    const { actor, clientAddress, device } = by
    return this.#database.transaction().execute(async (transaction) => {
      const count = await this.#mails[decision](chosen, transaction)
      const entry = { kind: EVENTS[decision], accountId: null, actor, clientAddress, device }
      if (count > 0) await this.#audit.record({ ...entry, detail: String(count) }, transaction)
      return count
    })
  }
}
