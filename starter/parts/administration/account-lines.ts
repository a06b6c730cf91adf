import { operatorOf } from 'sallyport-app/audit'
import type { AccountCondition } from '../../core/part.ts'
import { type Moment, type PageMessage, toMoment } from '../../core/pages/presentation.ts'
import type { RecordedAct } from './act-log.ts'

/** A line of the list of acts. */
export interface ActLine {
  readonly what: PageMessage
  /** With what; empty for nothing. */
  readonly detail: string
  /** To whose account; undefined in a list of one account, and for none. */
  readonly whose: string | undefined
  readonly by: PageMessage
  readonly reason: string
  readonly time: Moment
}

/** @returns The acts for a page, with the account that each was done to where `named` is true. */
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

/** @returns Who it was, for a page. `name`: that of the account, if there is one. */
export function byWhom(actor: string, name: string | null): PageMessage {
  const operator = operatorOf(actor)
  if (operator !== undefined) return { id: 'admin.by-operator', values: { name: operator } }
  return name === null ? { id: 'admin.by-unknown' } : { id: 'admin.by', values: { name } }
}

/** A line about something that is under way with an account. */
export interface ConditionLine {
  /** Message that says what. */
  readonly what: string
  /** Message that leads to the time. */
  readonly lead: string
  /** When it ends, or the account is erased. */
  readonly time: Moment
}

/** @returns The lines of the page of an account. */
export function toConditionLines(
  conditions: readonly AccountCondition[] = [],
  locale: string,
): readonly ConditionLine[] {
  return conditions.map(({ kind, until }) => ({
    what: `admin.condition.${kind}`,
    lead: kind === 'deletion' ? 'admin.must-hold.from' : 'admin.resets.until',
    time: toMoment(until, locale),
  }))
}

/** @returns Messages that mark an account in a list, each once. */
export function toMarks(conditions: readonly AccountCondition[] = []): readonly string[] {
  return [...new Set(conditions.map(({ mark }) => `admin.mark.${mark}`))]
}
