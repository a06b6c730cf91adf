import type { OutgoingMiddleware } from 'sallyport/http'

/**
 * Nothing of this application is kept by a cache unless it says that it is public. So every answer of the login
 * carries it: pages, redirects, refusals, and errors that no action had a hand in.
 */
export class NoStore implements OutgoingMiddleware {
  /**
   * @param response The response as it would leave.
   * @returns The response, with `Cache-Control: no-store` unless it is public.
   */
  process(response: Response): Response {
    const current = response.headers.get('cache-control') ?? ''
    if (!current.includes('public')) response.headers.set('cache-control', 'no-store')
    return response
  }
}
