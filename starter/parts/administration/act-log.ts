import { inject } from 'sallyport'
import { Database } from '../../core/database/database.ts'

/** An act of the administration, as the audit trail keeps it. */
export interface RecordedAct {
  readonly at: number
  readonly kind: string
  /** Who did it: an account reference, or `operator:` and a name. */
  readonly actor: string
  /** Name of the account that did it; null for an operator, and for an account that is gone. */
  readonly actorName: string | null
  /** To which account; null for none. */
  readonly accountId: string | null
  /** Name of that account; null when there is none, or it is gone. */
  readonly name: string | null
  /** With what, such as the name of a permission; null for nothing. */
  readonly detail: string | null
  readonly reason: string | null
}

/** Reads who administered what, and why. */
export class ActLog {
  readonly #database = inject(Database)

  /** @returns The newest acts, of one account or of all, newest first. */
  latest(limit: number, accountId?: string): Promise<readonly RecordedAct[]> {
    return this.#database
      .selectFrom('event')
      .leftJoin('account', 'account.id', 'event.account_id')
      .leftJoin('account as other', 'other.id', 'event.actor')
      .select([
        'event.at',
        'event.kind',
        'event.actor',
        'other.name as actorName',
        'event.account_id as accountId',
        'account.name',
        'event.detail',
        'event.reason',
      ])
      .where('event.actor', 'is not', null)
      .$if(accountId !== undefined, (query) => query.where('event.account_id', '=', accountId ?? ''))
      .orderBy('event.id', 'desc')
      .limit(limit)
      .$narrowType<{ actor: string }>()
      .execute()
  }
}
