import type { HttpContext } from 'sallyport'
import type { Session } from 'sallyport/session'

/** Session key of the page that a login returns to. It is application state and never part of `_2fa`. */
export const RETURN_URL_KEY = 'return_url'

/** The page after a login when no other page was requested. */
export const DEFAULT_RETURN_ROUTE = 'account:home'

// Route names of the pages that a login may return to. Everything else is refused.
const RETURN_ROUTES: readonly string[] = [DEFAULT_RETURN_ROUTE, 'admin:home']

/**
 * @param context Context of the request.
 * @param value Value of `return_url` from the client.
 * @returns The path if a login may return to it; otherwise undefined.
 */
export function allowedReturnTarget(context: HttpContext, value: unknown): string | undefined {
  return RETURN_ROUTES.map((name) => context.url(name)).find((url) => url === value)
}

/**
 * Stores a return target during the second step. A refused target is ignored, and the target of an earlier login is removed.
 *
 * @param context Context of the request.
 * @param value Value of `return_url` from the client.
 */
export async function rememberReturnTarget(context: HttpContext, value: unknown): Promise<void> {
  const target = allowedReturnTarget(context, value)
  if (target === undefined) await context.session().remove(RETURN_URL_KEY)
  else await context.session().set(RETURN_URL_KEY, target)
}

/**
 * @param context Context of the request.
 * @returns Path of the stored page, otherwise of the default page.
 */
export async function takeReturnTarget(context: HttpContext): Promise<string> {
  const session: Session = context.session()
  const target = allowedReturnTarget(context, await session.get(RETURN_URL_KEY))
  await session.remove(RETURN_URL_KEY)
  return target ?? context.url(DEFAULT_RETURN_ROUTE)
}
