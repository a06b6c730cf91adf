import type { HttpContext } from '../context/index.ts'
import { isPromiseLike, sentence } from '../core/internal.ts'

/**
 * @param when Condition of a middleware.
 * @param context Context of the request.
 * @returns Whether it is met.
 * @throws {TypeError} If the condition returns a promise, which would always count as true.
 */
export function isMet(when: (context: HttpContext) => boolean, context: HttpContext): boolean {
  const met: unknown = when(context)
  if (!isPromiseLike(met)) return Boolean(met)
  // The promise is not awaited, and its rejection would end the process.
  met.then(undefined, () => undefined)
  throw new TypeError(
    sentence`Cannot use a promise as the condition of a middleware: make "when" synchronous`,
  )
}
