import type { HttpContext } from '../context/index.ts'
import { HttpException } from '../http/index.ts'

/**
 * @param error What was thrown.
 * @returns Whether it must be reported. A mistake of the client is an expected outcome. A 5xx with a cause is reported too:
 * a store that refuses connections must not go unnoticed.
 */
export function isFault(error: unknown): boolean {
  return !(error instanceof HttpException) || (error.status >= 500 && error.cause !== undefined)
}

/**
 * @param error What was thrown.
 * @param context Context of the request.
 * @returns Whether the client's departure caused it: an operation that was aborted because the client disconnected is not
 * an error. A time limit has another reason.
 */
export function isDeparture(error: unknown, { signal }: HttpContext): boolean {
  if (!(error instanceof Error) || error.name !== 'AbortError') return false
  // `fetch()` rejects with the reason that the caller passed to abort().
  return signal.aborted && (signal.reason as Error | null)?.name !== 'TimeoutError'
}
