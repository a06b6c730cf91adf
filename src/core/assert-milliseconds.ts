import { declarationError } from './declaration-error.ts'
import { shown } from './shown.ts'

/** The longest time of a timer, in milliseconds: almost 25 days. One that is set for longer fires after a millisecond. */
export const MAX_TIMER_MILLISECONDS: number = 2 ** 31 - 1

/**
 * Checks a time that a timer is set for.
 *
 * @param given What was given, in milliseconds.
 * @param name Name of the option.
 * @throws {RangeError} If it is no number above 0, or longer than a timer can wait.
 */
export function assertMilliseconds(given: unknown, name: string): void {
  if (typeof given === 'number' && given > 0 && given <= MAX_TIMER_MILLISECONDS) return
  throw declarationError(
    `Cannot use ${shown(given)} as ${name}: give milliseconds above 0, at most ${MAX_TIMER_MILLISECONDS} (a longer timer fires at once)`,
    RangeError,
  )
}
