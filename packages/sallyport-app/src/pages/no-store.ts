import type { OutgoingMiddleware } from 'sallyport/http'

/**
 * Keeps every response out of caches unless it is marked public. So every response of a login has the header: pages, redirects,
 * refusals, and errors in which no action took part.
 */
export class NoStore implements OutgoingMiddleware {
  /**
   * Marks a response.
   *
   * @param response The response.
   * @returns The same, with `Cache-Control: no-store` unless it is public.
   */
  process(response: Response): Response {
    const current = response.headers.get('cache-control') ?? ''
    if (!current.includes('public')) response.headers.set('cache-control', 'no-store')
    return response
  }
}
