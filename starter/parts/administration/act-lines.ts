import { operatorOf } from '../../core/audit/operator.ts'
import type { RecordedAct } from './act-log.ts'
import { type Moment, type PageMessage, toMoment } from '../../core/pages/presentation.ts'

/** A line of the list of acts. */
export interface ActLine {
  /** What was done. */
  readonly what: PageMessage
  /** With what; empty for nothing. */
  readonly detail: string
  /** To whose account; undefined in a list of one account, and for none. */
  readonly whose: string | undefined
  /** Who did it. */
  readonly by: PageMessage
  /** Why. */
  readonly reason: string
  /** When. */
  readonly time: Moment
}

/**
 * @param options `locale`: language of the page; `named`: whether lines name the account.
 * @returns The lines.
 */
export function toActLines(
  acts: readonly RecordedAct[],
  { locale, named }: { readonly locale: string; readonly named: boolean },
): readonly ActLine[] {
  return acts.map((act) => ({
    what: { id: `event.${act.kind}` },
    detail: act.detail ?? '',
    whose: named ? (act.name ?? undefined) : undefined,
    by: byWhom(act.actor, act.actorName),
    reason: act.reason ?? '',
    time: toMoment(act.at, locale),
  }))
}

/**
 * @param name Name of the account; null for an operator, and for an account that is gone.
 * @returns Who it was, for a page.
 */
export function byWhom(actor: string, name: string | null): PageMessage {
  const operator = operatorOf(actor)
  if (operator !== undefined) return { id: 'admin.by-operator', values: { name: operator } }
  return name === null ? { id: 'admin.by-unknown' } : { id: 'admin.by', values: { name } }
}
