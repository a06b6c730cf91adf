import { sentence } from './sentence.ts'
import { callSite, placedMessage, tellingPlace, withPlace } from './call-site.ts'
import { isPromiseLike } from './is-promise-like.ts'
import { inOneLine, isClass, isDeferred, shown } from './shown.ts'

/** The classes of programming mistakes: a wrong shape or a wrong value. */
type FaultClass = new (message: string, options?: ErrorOptions) => TypeError | RangeError

/**
 * Creates the error for an invalid declaration.
 *
 * @param message What cannot be done, what was passed, and what to do.
 * @param type `TypeError` for a wrong shape, `RangeError` for a wrong value. Default: `TypeError`.
 * @param options `cause`: the underlying error. Default: none.
 * @returns The error; its message ends with the place of the declaration, `(file:line)`, when known.
 */
export function declarationError(
  message: string,
  type: FaultClass = TypeError,
  options?: ErrorOptions,
): TypeError | RangeError {
  return tellingPlace(new type(inOneLine(withPlace(message, callSite())), options))
}

/**
 * Creates the error for a declaration that comes too late to take effect. Ignoring it could leave out a guard.
 *
 * @param call What was called: `middleware() of module "Shop"`.
 * @param reason Why it is too late, and what to do.
 * @returns The error; its message ends with the place of the call, `(file:line)`, when known.
 */
export function lateDeclaration(call: string, reason: string): Error {
  return tellingPlace(new Error(inOneLine(withPlace(sentence`Cannot call ${call}: ${reason}`, callSite()))))
}

/**
 * Adds to an error which declaration it belongs to.
 *
 * @param error What a declaring function of the application threw.
 * @param what What could not be done: `Cannot configure module "Shop"`.
 * @returns A `TypeError` or `RangeError` with that sentence before its message and the place after it; any other value
 * unchanged.
 */
export function inDeclaration(error: unknown, what: string): unknown {
  const type = error instanceof TypeError ? TypeError : error instanceof RangeError ? RangeError : undefined
  if (type === undefined || !(error instanceof Error)) return error
  return tellingPlace(new type(inOneLine(`${what}. ${placedMessage(error)}`), { cause: error }))
}

/**
 * Checks a function that the framework calls later and does not await.
 *
 * @param given The argument as passed.
 * @param what What the function is for: `declare routes`.
 * @throws {TypeError} If it is not a function, or is a class or an async function.
 */
export function assertCallback(given: unknown, what: string): asserts given is (...args: never[]) => unknown {
  if (typeof given !== 'function')
    throw declarationError(sentence`Cannot ${what} with ${shown(given)}: pass a function`)
  if (isClass(given))
    throw declarationError(sentence`Cannot ${what} with ${shown(given)}: pass a function, not a class`)
  if (isDeferred(given))
    throw declarationError(
      sentence`Cannot ${what} with ${shown(given)}: it is not awaited; make it synchronous`,
    )
}

/**
 * Refuses a promise from a function that is not awaited: its later work and its error would be lost.
 *
 * @param result What the function returned.
 * @param what What the function was for: `declare routes`.
 * @param place Where it was declared, as `file:line`, when known.
 * @throws {TypeError} If the result is a promise.
 */
export function assertNoPromise(result: unknown, what: string, place?: string): void {
  if (!isPromiseLike(result)) return
  // An unhandled rejection would end the process.
  result.then(undefined, () => undefined)
  const message = sentence`Cannot ${what} with a function that returns a promise: make it synchronous`
  throw tellingPlace(new TypeError(inOneLine(withPlace(message, place))))
}

/**
 * Checks an options object: it may hold known options only.
 *
 * @param options The options as passed.
 * @param known Names of all options.
 * @param what What the options belong to: `serve()`.
 * @throws {TypeError} If it is not an object or has an unknown option.
 */
export function assertOptions(options: unknown, known: readonly string[], what: string): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options) || isPromiseLike(options))
    throw declarationError(sentence`Cannot use ${shown(options)} as the options of ${what}: pass an object`)
  const stray = Object.keys(options).find((name) => !known.includes(name))
  if (stray === undefined) return
  throw declarationError(
    sentence`Cannot use the option ${shown(stray)} of ${what}: the options are ${known.map((name) => `"${name}"`).join(', ')}`,
  )
}
