import type { HttpContext } from '../context/index.ts'

/**
 * Drops the values that a request set in its session, because its response is an internal error.
 *
 * @param context Context of the request.
 */
export function withdraw(context: HttpContext): void {
  context.openedSession()?.withdraw()
}
