import type { HttpContext } from 'sallyport'
import { type OutgoingMiddleware, prefersJson } from 'sallyport/http'

// The ones that browsers follow with GET. 307 and 308 repeat the request; other statuses with a location are no redirect.
const LEADS_ON: ReadonlySet<number> = new Set([302, 303])

/** Tells a program where its form leads, in place of a redirect, which its client would follow to a page for people. */
export class JsonRedirects implements OutgoingMiddleware<HttpContext> {
  /**
   * Answers a program.
   *
   * @param response Its response.
   * @param context The request.
   * @returns The response; for a form of a client that prefers JSON `{ "location": … }` in place of a redirect.
   */
  process(response: Response, context: HttpContext): Response {
    const location = response.headers.get('location')
    const isForm = context.method() !== 'GET' && context.method() !== 'HEAD'
    if (!isForm || location === null || !LEADS_ON.has(response.status)) return response
    if (!prefersJson(context.header('accept'))) return response
    const headers = new Headers(response.headers)
    headers.delete('location')
    headers.set('content-type', 'application/json')
    return new Response(JSON.stringify({ location }), { headers })
  }
}
