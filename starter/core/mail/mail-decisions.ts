import { inject } from 'sallyport'
import { GivenUpMails } from 'sallyport-app/mail'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Database } from '../database/database.ts'

/** Who decides about a mail, as the audit trail names them. */
export interface MailActor {
  readonly actor: string
  readonly clientAddress: string
  readonly device: string
}

type Decision = 'retry' | 'drop'

const EVENTS: Readonly<Record<Decision, AuditEvent>> = {
  retry: AuditEvent.MailsRetried,
  drop: AuditEvent.MailsDropped,
}

/** What operators decide about mails that could not be sent. It is recorded with the decision. */
export class MailDecisions {
  readonly #database = inject(Database)
  readonly #mails = inject(GivenUpMails)
  readonly #audit = inject(AuditTrail)

  /**
   * @param chosen Identifier of a mail, or `ALL_MAILS`.
   * @returns How many mails it was about.
   */
  make(decision: Decision, chosen: string, by: MailActor): Promise<number> {
    return this.#database.transaction().execute(async (transaction) => {
      const count = await this.#mails[decision](chosen, transaction)
      const event = { kind: EVENTS[decision], accountId: null, ...by, detail: String(count) }
      if (count > 0) await this.#audit.record(event, transaction)
      return count
    })
  }
}
