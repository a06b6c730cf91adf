import type { HttpContext } from 'sallyport'
import type { Session } from 'sallyport/session'

/** Session key of the page that a login returns to. Application state beside `_2fa`, never inside it. */
export const RETURN_URL_KEY = 'return_url'

/** Where a login ends when nobody asked for another page. */
export const DEFAULT_RETURN_ROUTE = 'account:home'

// Pages that a login may return to, by route name. An allowlist: what is not here is refused, whatever it looks like.
const RETURN_ROUTES: readonly string[] = [DEFAULT_RETURN_ROUTE, 'admin:home']

/**
 * @param context Context of the request.
 * @param value What a client sent as `return_url`.
 * @returns The path, when it is the URL of a page that a login may return to; else undefined.
 */
export function allowedReturnTarget(context: HttpContext, value: unknown): string | undefined {
  return RETURN_ROUTES.map((name) => context.url(name)).find((url) => url === value)
}

/**
 * Keeps a return target through the second factor; a refused one is dropped without a word, and so is
 * the one of an earlier login.
 *
 * @param context Context of the request.
 * @param value What a client sent as `return_url`.
 */
export async function rememberReturnTarget(context: HttpContext, value: unknown): Promise<void> {
  const target = allowedReturnTarget(context, value)
  if (target === undefined) await context.session().remove(RETURN_URL_KEY)
  else await context.session().set(RETURN_URL_KEY, target)
}

/**
 * @param context Context of the request.
 * @returns Where the login ends: the remembered page, else the default one.
 */
export async function takeReturnTarget(context: HttpContext): Promise<string> {
  const session: Session = context.session()
  const target = allowedReturnTarget(context, await session.get(RETURN_URL_KEY))
  await session.remove(RETURN_URL_KEY)
  return target ?? context.url(DEFAULT_RETURN_ROUTE)
}
