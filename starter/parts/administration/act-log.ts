import { inject } from 'sallyport'
import { operatorOf } from 'sallyport-app/audit'
import { Database } from '../../core/database/database.ts'
import type { Moment, PageMessage } from 'sallyport-app/pages'
import { TIMES } from '../../core/messages/language.ts'

/** An act of the administration, as the pages show it. */
export interface ActLine {
  readonly what: PageMessage
  /** With what, such as the name of a permission; empty for nothing. */
  readonly detail: string
  /** To whose account; null for none, and for one that is gone. */
  readonly whose: string | null
  readonly by: PageMessage
  readonly reason: string
  readonly time: Moment
}

/** Reads who administered what, and why. */
export class ActLog {
  readonly #database = inject(Database)

  /** @returns The newest acts, of one account or of all, newest first. */
  async latest(limit: number, locale: string, accountId?: string): Promise<readonly ActLine[]> {
    const acts = await this.#database
      .selectFrom('event')
      .leftJoin('account', 'account.id', 'event.account_id')
      .leftJoin('account as other', 'other.id', 'event.actor')
      .select(['event.at', 'event.kind', 'event.actor', 'event.detail', 'event.reason'])
      .select(['account.name as whose', 'other.name as by'])
      .where('event.actor', 'is not', null)
      .$if(accountId !== undefined, (query) => query.where('event.account_id', '=', accountId ?? ''))
      .orderBy('event.id', 'desc')
      .limit(limit)
      .$narrowType<{ actor: string }>()
      .execute()
    return acts.map(({ at, kind, actor, by, whose, detail, reason }) => ({
      what: { id: `event.${kind}` },
      detail: detail ?? '',
      whose,
      by: byWhom(actor, by),
      reason: reason ?? '',
      time: TIMES.moment(at, locale),
    }))
  }
}

function byWhom(actor: string, name: string | null): PageMessage {
  const operator = operatorOf(actor)
  if (operator !== undefined) return { id: 'admin.by-operator', values: { name: operator } }
  return name === null ? { id: 'admin.by-unknown' } : { id: 'admin.by', values: { name } }
}
