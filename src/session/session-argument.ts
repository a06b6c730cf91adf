import { declarationError, sentence, shown } from '../core/internal.ts'
import { ACCOUNT_KEY } from './identity-key.ts'

const METHODS: readonly string[] = ['get', 'has', 'set', 'remove', 'regenerateId', 'destroy']

/**
 * Checks the session argument of a call. A session implemented by the application is allowed.
 *
 * @param given The argument as passed.
 * @param what What cannot be done with it, such as `log in`.
 * @throws {TypeError} If it is not a session.
 */
export function assertSession(given: unknown, what: string): void {
  if (hasMethods(given, METHODS)) return
  throw declarationError(
    sentence`Cannot ${what} with ${shown(given)} as the session: pass the request's own, context.session()`,
  )
}

/**
 * @param given Any value. The function never throws.
 * @param names Names of methods.
 * @returns Whether it is an object with all of these methods.
 */
export function hasMethods(given: unknown, names: readonly string[]): boolean {
  if (typeof given !== 'object' || given === null) return false
  try {
    return names.every((name) => typeof Reflect.get(given, name) === 'function')
  } catch {
    // A revoked proxy, or a throwing getter.
    return false
  }
}

/**
 * @param key The key as passed.
 * @returns Whether an application may use it.
 */
export function isKey(key: unknown): key is string {
  return typeof key === 'string' && key !== ACCOUNT_KEY
}

/**
 * @param key The key as passed.
 * @returns The error for a key that is not a string, or is one of the framework.
 */
export function notAKey(key: unknown): TypeError {
  if (key === ACCOUNT_KEY)
    return declarationError(
      sentence`Cannot use "${ACCOUNT_KEY}" as the key of a session entry: it belongs to the framework`,
    )
  return declarationError(
    sentence`Cannot use ${shown(key)} as the key of a session entry: it must be a string`,
  )
}
