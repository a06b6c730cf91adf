import type { HttpContext } from 'sallyport'
import { HttpException, prefersJson, RedirectException } from 'sallyport/http'
import type { TurnedAway } from '../turned-away.ts'

/**
 * Leads a request that can do nothing back to the overview, which says why: from a middleware, before its page is reached.
 *
 * @param context Context of the request.
 * @param why Why.
 * @throws {RedirectException} Always, unless the client prefers JSON.
 * @throws {HttpException} If it does.
 */
export async function leadBack(
  context: HttpContext,
  { status, code, detail, text }: TurnedAway,
): Promise<never> {
  if (prefersJson(context.header('accept'))) throw new HttpException(status, code, detail)
  const path = context.url('security:home')
  if (text !== undefined) await context.flash().add('warning', text, { path })
  throw new RedirectException(path, 303)
}
