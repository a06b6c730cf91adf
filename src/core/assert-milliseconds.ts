import { sentence } from './sentence.ts'
import { declarationError } from './declaration-error.ts'
import { shown } from './shown.ts'

/** The longest delay of a timer in milliseconds, almost 25 days. Node fires a timer with a longer delay at once. */
export const MAX_TIMER_MILLISECONDS: number = 2 ** 31 - 1

/**
 * Checks the delay of a timer.
 *
 * @param given The option as passed, in milliseconds.
 * @param name Name of the option.
 * @throws {RangeError} If it is not a number above 0, or is longer than a timer can wait.
 */
export function assertMilliseconds(given: unknown, name: string): void {
  if (typeof given === 'number' && given > 0 && given <= MAX_TIMER_MILLISECONDS) return
  throw declarationError(
    sentence`Cannot use ${shown(given)} as ${name}: it must be a number above 0, at most ${MAX_TIMER_MILLISECONDS} (a longer timer fires at once)`,
    RangeError,
  )
}
