import { callSite, placeOf } from './call-site.ts'
import { isPromiseLike } from './is-promise-like.ts'
import { inOneLine, isClass, isDeferred, shown } from './shown.ts'

/** The classes of what a programmer did wrong: the shape of a value, or the value. */
type FaultClass = new (message: string, options?: ErrorOptions) => TypeError | RangeError

/**
 * Makes the error of a declaration that cannot stand.
 *
 * @param message What cannot be done, what was given, and what to do.
 * @param type `TypeError` for a wrong shape, `RangeError` for a wrong value. Default: `TypeError`.
 * @param options `cause`: the error behind this one. Default: none.
 * @returns The error; its message ends with the place of the declaration, `(file:line)`, when known.
 */
export function declarationError(
  message: string,
  type: FaultClass = TypeError,
  options?: ErrorOptions,
): TypeError | RangeError {
  return new type(placed(message, callSite()), options)
}

/**
 * Makes the error of a declaration that comes after what it belongs to has been read: it would have no effect, and a
 * guard that is not there lets everybody in.
 *
 * @param call What was called: `middleware() of module "Shop"`.
 * @param reason Why it is too late, and what to do.
 * @returns The error; its message ends with the place of the call, `(file:line)`, when known.
 */
export function lateDeclaration(call: string, reason: string): Error {
  return new Error(placed(`Cannot call ${call}: ${reason}`, callSite()))
}

/**
 * Says to what a wrong declaration belongs.
 *
 * @param error What a declaring function of the application threw.
 * @param what What could not be done: `Cannot configure module "Shop"`.
 * @returns A fault of the programmer with its message behind that sentence, and its place; anything else as it is.
 */
export function inDeclaration(error: unknown, what: string): unknown {
  const type = error instanceof TypeError ? TypeError : error instanceof RangeError ? RangeError : undefined
  if (type === undefined || !(error instanceof Error)) return error
  const hasPlace = /\(\S+:\d+\)$/.test(error.message)
  return new type(placed(`${what}. ${error.message}`, hasPlace ? undefined : placeOf(error)), {
    cause: error,
  })
}

/**
 * Checks that a function was given, which is called later and at once gives what it gives.
 *
 * @param given What was given.
 * @param what What it was given for: `declare routes`.
 * @throws {TypeError} If it is no function, a class, or an async one: nobody waits for it.
 */
export function assertCallback(given: unknown, what: string): void {
  if (typeof given !== 'function')
    throw declarationError(`Cannot ${what} with ${shown(given)}: give a function`)
  if (isClass(given))
    throw declarationError(`Cannot ${what} with ${shown(given)}: it is called; give a function`)
  if (isDeferred(given))
    throw declarationError(`Cannot ${what} with ${shown(given)}: nobody waits for it; make it synchronous`)
}

/**
 * Refuses the promise of a function that is not waited for: what it does later would be lost, and so would be its error.
 *
 * @param result What the function gave.
 * @param what What it was to do: `declare routes`.
 * @param place Where it was declared, as `file:line`, when known.
 * @throws {TypeError} If it is a promise.
 */
export function assertNoPromise(result: unknown, what: string, place?: string): void {
  if (!isPromiseLike(result)) return
  // Its rejection would end the process.
  result.then(undefined, () => undefined)
  throw new TypeError(
    placed(`Cannot ${what} with a function that gives a promise: make it synchronous`, place),
  )
}

/**
 * Checks the options of something: an object that holds nothing but what is known.
 *
 * @param options What was given.
 * @param known The names of all options.
 * @param what What they are options of: `serve()`.
 * @throws {TypeError} If they are no object, or hold another name.
 */
export function assertOptions(options: unknown, known: readonly string[], what: string): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options) || isPromiseLike(options))
    throw declarationError(`Cannot use ${shown(options)} as the options of ${what}: give an object`)
  const stray = Object.keys(options).find((name) => !known.includes(name))
  if (stray === undefined) return
  throw declarationError(
    `Cannot use the option ${shown(stray)} of ${what}: it has ${known.map((name) => `"${name}"`).join(', ')}`,
  )
}

function placed(message: string, place: string | undefined): string {
  return inOneLine(place === undefined || message.includes(place) ? message : `${message} (${place})`)
}
