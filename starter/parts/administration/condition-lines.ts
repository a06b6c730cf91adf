import type { AccountCondition, ConditionKind } from './account-conditions.ts'
import { type Moment, toMoment } from '../../modules/presentation.ts'

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

const ERASED = 'admin.mark.deletion'
const RECOVERY = 'admin.mark.recovery'
const PAUSED = 'admin.mark.lock'

// What the page of the account says, and the word that a list of accounts has for it.
const TEXTS: Readonly<Record<string, readonly [what: string, mark: string]>> = {
  deletion: ['admin.condition.deletion', ERASED],
  'recovery-asked': ['admin.condition.recovery-asked', RECOVERY],
  'recovery-waiting': ['admin.condition.recovery-waiting', RECOVERY],
  'recovery-ready': ['admin.condition.recovery-ready', RECOVERY],
  'password-locked': ['admin.condition.password-locked', PAUSED],
  'codes-locked': ['admin.condition.codes-locked', PAUSED],
  'authenticator-locked': ['admin.condition.authenticator-locked', PAUSED],
}

/**
 * @param conditions What is under way with an account. Default: nothing.
 * @param locale Language of the page.
 * @returns The lines of its page.
 */
export function toConditionLines(
  conditions: readonly AccountCondition[] | undefined,
  locale: string,
): readonly ConditionLine[] {
  return (conditions ?? []).map(({ kind, label, until }) => ({
    what: textsOf(kind)[0],
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
  return [...new Set((conditions ?? []).map(({ kind }) => textsOf(kind)[1]))]
}

function textsOf(kind: ConditionKind): readonly [what: string, mark: string] {
  return TEXTS[kind] ?? [`admin.condition.${kind}`, PAUSED]
}
