import { declarationError } from './declaration-error.ts'
import { shown } from './shown.ts'

/**
 * Checks an option that is on or off: `'no'` would be on, and `null` off or on by chance.
 *
 * @param given What was given.
 * @param name Name of the option.
 * @returns The same.
 * @throws {TypeError} If it is neither true nor false.
 */
export function assertBoolean(given: unknown, name: string): boolean {
  if (typeof given === 'boolean') return given
  throw declarationError(`Cannot use ${shown(given)} as ${name}: give true or false`)
}
