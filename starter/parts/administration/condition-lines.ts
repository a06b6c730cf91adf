import type { AccountCondition } from '../../core/account-condition.ts'
import { type Moment, toMoment } from '../../core/pages/presentation.ts'

/** A line about something that is under way with an account. */
export interface ConditionLine {
  /** Message that says what. */
  readonly what: string
  /** Name of what is locked; empty for none. */
  readonly label: string
  /** Message that leads to the time. */
  readonly lead: string
  /** When it ends, or the account is erased. */
  readonly time: Moment
}

/**
 * @param conditions What is under way with an account. Default: nothing.
 * @returns The lines of its page.
 */
export function toConditionLines(
  conditions: readonly AccountCondition[] | undefined,
  locale: string,
): readonly ConditionLine[] {
  return (conditions ?? []).map(({ kind, label, until }) => ({
    what: `admin.condition.${kind}`,
    label,
    lead: kind === 'deletion' ? 'admin.must-hold.from' : 'admin.resets.until',
    time: toMoment(until, locale),
  }))
}

/**
 * @param conditions What is under way with an account. Default: nothing.
 * @returns Messages that mark it in a list, each once.
 */
export function toMarks(conditions: readonly AccountCondition[] | undefined): readonly string[] {
  return [...new Set((conditions ?? []).map(({ mark }) => `admin.mark.${mark}`))]
}
