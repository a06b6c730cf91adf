/** How long a proof counts, unless the rule says otherwise. At that second it counts no more. */
export const STEP_UP_SECONDS: number = 5 * 60

// How the messages of actions begin.
const ACTION = 'step-up.action.'

// Whoever confirms must also have the time to read the page of the action and to send its form.
const SHORTEST_AGE = 30
const LONGEST_AGE = 60 * 60

/** What a protected action asks for: an application extends it by what else its routes may say. */
export interface StepUpRule<Kind extends string = string> {
  /** Message that names it: begins with `step-up.action.`. */
  readonly action: string
  /** Seconds for which a proof counts, from 30 to 3600. Default: {@link STEP_UP_SECONDS}. */
  readonly maxAge?: number
  /** Kinds of second factors that count, one of which the account must hold then. Default: all, and none has to be held. */
  readonly kinds?: readonly Kind[]
}

/**
 * Says whether something proven still counts.
 *
 * @param at When it was proven, as a Unix timestamp in seconds; undefined for never.
 * @param now The Unix timestamp of now.
 * @param rule For how long. Default: {@link STEP_UP_SECONDS}.
 * @returns Whether it does. A moment in the future is none: the clock was set back since.
 */
export function isRecent(
  at: number | undefined,
  now: number,
  { maxAge = STEP_UP_SECONDS }: Pick<StepUpRule, 'maxAge'> = {},
): boolean {
  return at !== undefined && at <= now && now - at < maxAge
}

/**
 * Checks a rule.
 *
 * @param rule The rule.
 * @param held The kinds of second factors that accounts hold.
 * @throws {TypeError} If it cannot be kept.
 * @internal
 */
export function assertStepUpRule(
  { action, maxAge = STEP_UP_SECONDS, kinds }: StepUpRule,
  held: readonly string[],
): void {
  if (!action.startsWith(ACTION))
    throw new TypeError(`Cannot name an action "${action}": it must begin with "${ACTION}"`)
  if (!Number.isInteger(maxAge) || maxAge < SHORTEST_AGE || maxAge > LONGEST_AGE)
    throw new TypeError(
      `Cannot use ${maxAge} as maxAge of "${action}": use whole seconds from ${SHORTEST_AGE} to ${LONGEST_AGE}`,
    )
  if (kinds?.length === 0 || kinds?.every((kind) => held.includes(kind)) === false)
    throw new TypeError(
      `Cannot confirm "${action}" with the kinds "${kinds.join(', ')}": use kinds that accounts hold: ${held.join(', ')}`,
    )
}
