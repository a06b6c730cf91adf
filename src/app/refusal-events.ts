import type { HttpContext } from '../context/index.ts'
import { publish } from '../core/internal.ts'
import { InvalidCsrfTokenException } from '../csrf/index.ts'

/**
 * Publishes that a request was refused or turned away: by the exception that was answered, else by the status that an action,
 * a middleware or an adapter gave its response.
 *
 * @param status Status of the response.
 * @param context Context of the request.
 */
export function tellRefusal(status: number, context: HttpContext): void {
  const { failure } = context
  if (failure !== null && tell(failure, context, csrfReason(failure))) return
  tell({ status, code: null }, context, null)
}

function tell(
  { status, code }: { readonly status: number; readonly code: string | null },
  context: HttpContext,
  reason: string | null,
): boolean {
  if (status === 429 || code === 'ERR_AUTH_BUSY')
    publish('throttled', { code, status, request: context.id() })
  else if (status === 401 || status === 403)
    publish('refused', { code, status, request: context.id(), reason })
  else return false
  return true
}

/**
 * @param error What was thrown.
 * @returns Why a CSRF check failed; null for other exceptions, whose cause may contain user input.
 */
export function csrfReason(error: Error): string | null {
  return error instanceof InvalidCsrfTokenException && typeof error.cause === 'string' ? error.cause : null
}
