import { sentence } from './sentence.ts'
import { declarationError } from './declaration-error.ts'
import { shown } from './shown.ts'

/**
 * Checks a boolean option. Without the check, `'no'` would count as true.
 *
 * @param given The option as passed.
 * @param name Name of the option.
 * @returns The same value.
 * @throws {TypeError} If it is neither true nor false.
 */
export function assertBoolean(given: unknown, name: string): boolean {
  if (typeof given === 'boolean') return given
  throw declarationError(sentence`Cannot use ${shown(given)} as ${name}: it must be true or false`)
}
