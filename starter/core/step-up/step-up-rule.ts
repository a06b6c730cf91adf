import type { HeldKind } from '../factors/factor-kinds.ts'

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
  /** Kinds of second factors that count, one of which the account must hold then. Default: all, and none has to be held. */
  readonly kinds?: readonly HeldKind[]
  /**
   * Whether a recovery code stands in for a factor that is lost: whoever lost it puts a new one in its place, sees to the password and ends
   * what somebody else may have open. What takes a factor away, lets programs in or concerns other accounts waits for the new factor, so
   * that no recovery ends in an account that asks for the password only. Default: it does not.
   */
  readonly mendsLoss?: boolean
}

/** @throws {TypeError} If a rule cannot be kept where accounts hold these kinds of factors. */
export function assertStepUpRule(
  { action, maxAge = STEP_UP_SECONDS, kinds }: StepUpRule,
  held: readonly HeldKind[],
): void {
  if (!action.startsWith(STEP_UP_ACTION))
    throw new TypeError(`Cannot name an action "${action}": it must begin with "${STEP_UP_ACTION}"`)
  if (!Number.isInteger(maxAge) || maxAge < SHORTEST_AGE || maxAge > LONGEST_AGE)
    throw new TypeError(
      `Cannot use ${maxAge} as maxAge of "${action}": use whole seconds from ${SHORTEST_AGE} to ${LONGEST_AGE}`,
    )
  if (kinds?.length === 0 || kinds?.every((kind) => held.includes(kind)) === false)
    throw new TypeError(
      `Cannot confirm "${action}" with the kinds "${kinds.join(', ')}": use kinds that accounts hold: ${held.join(', ')}`,
    )
}
