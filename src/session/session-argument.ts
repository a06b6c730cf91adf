import { declarationError, shown } from '../core/internal.ts'

const METHODS: readonly string[] = ['get', 'has', 'set', 'remove', 'regenerateId', 'destroy']

/**
 * Checks what a call was given as the session of the request. One of the application's own making counts.
 *
 * @param given Whatever was given.
 * @param what What cannot be done with it, such as `log in`.
 * @throws {TypeError} If it is no session.
 */
export function assertSession(given: unknown, what: string): void {
  if (hasMethods(given, METHODS)) return
  throw declarationError(
    `Cannot ${what} with ${shown(given)} as the session: give the one of the request, context.session()`,
  )
}

/**
 * @param given Whatever was given. It never throws.
 * @param names Names of methods.
 * @returns Whether it is an object that has all of them.
 */
export function hasMethods(given: unknown, names: readonly string[]): boolean {
  if (typeof given !== 'object' || given === null) return false
  try {
    return names.every((name) => typeof (given as Readonly<Record<string, unknown>>)[name] === 'function')
  } catch {
    // A revoked proxy, or a getter that throws.
    return false
  }
}

/**
 * @param key What was given as the key of an entry.
 * @returns Why it is none.
 */
export function notAKey(key: unknown): TypeError {
  return declarationError(`Cannot use ${shown(key)} as the key of a session entry: give a string`)
}
