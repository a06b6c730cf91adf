import type { HttpContext } from 'sallyport'
import { type OutgoingMiddleware, prefersJson } from 'sallyport/http'

/** Tells a program where its form leads, in place of a redirect, which its client would follow to a page for people. */
export class JsonRedirects implements OutgoingMiddleware<HttpContext> {
  /**
   * @param response The response about to be sent.
   * @param context Context of the request.
   * @returns The response; for a form of a client that prefers JSON `{ "location": … }` in place of a redirect.
   */
  process(response: Response, context: HttpContext): Response {
    const location = response.headers.get('location')
    const isForm = context.method() !== 'GET' && context.method() !== 'HEAD'
    if (!isForm || location === null || response.status >= 400 || !prefersJson(context.header('accept')))
      return response
    const headers = new Headers(response.headers)
    headers.delete('location')
    headers.set('content-type', 'application/json')
    return new Response(JSON.stringify({ location }), { headers })
  }
}
