import type { FactorKind } from '../factors/factor-kinds.ts'

/** How the messages of actions begin. */
const STEP_UP_ACTION = 'step-up.action.'

/** How long a proof counts, unless the rule says otherwise. At that second it counts no more. */
export const STEP_UP_SECONDS: number = 5 * 60

// Whoever confirms must also have the time to read the page of the action and to send its form.
const SHORTEST_AGE = 30
const LONGEST_AGE = 60 * 60

/** What a protected action asks for. */
export interface StepUpRule {
  /** Message that names it: begins with `step-up.action.`. */
  readonly action: string
  /** Seconds for which a proof counts, from 30 to 3600. Default: {@link STEP_UP_SECONDS}. */
  readonly maxAge?: number
  /**
   * Kinds of second factors that count, one of which the account must hold then; `recovery` for recovery codes, where they mend a loss.
   * Default: all, and an account without a factor confirms with its password.
   */
  readonly kinds?: readonly FactorKind[]
}

/** @throws {TypeError} If a rule cannot be kept in an application with these kinds of factors. */
export function assertStepUpRule(
  { action, maxAge = STEP_UP_SECONDS, kinds }: StepUpRule,
  known: { readonly held: readonly FactorKind[]; readonly recoveryActions: ReadonlySet<string> },
): void {
  if (!action.startsWith(STEP_UP_ACTION))
    throw new TypeError(`Cannot name an action "${action}": it must begin with "${STEP_UP_ACTION}"`)
  if (!Number.isInteger(maxAge) || maxAge < SHORTEST_AGE || maxAge > LONGEST_AGE)
    throw new TypeError(
      `Cannot use ${maxAge} as maxAge of "${action}": use whole seconds from ${SHORTEST_AGE} to ${LONGEST_AGE}`,
    )
  if (kinds === undefined) return
  const held = kinds.filter((kind) => kind !== 'recovery')
  const unknown = held.find((kind) => !known.held.includes(kind))
  const choice = known.held.join(', ')
  if (unknown !== undefined)
    throw new TypeError(
      `Cannot confirm "${action}" with "${unknown}": use kinds that accounts hold: ${choice}`,
    )
  if (held.length === 0)
    throw new TypeError(`Cannot confirm "${action}" without a factor: name one of these in kinds: ${choice}`)
  if (held.length < kinds.length && !known.recoveryActions.has(action))
    throw new TypeError(
      `Cannot confirm "${action}" with a recovery code: it mends no loss. Leave "recovery" out of kinds`,
    )
}
