import type { OutgoingMiddleware } from 'sallyport/http'

/**
 * Keeps every response out of caches unless it is marked public. So every response of the login has the header: pages, redirects,
 * refusals, and errors in which no action took part.
 */
export class NoStore implements OutgoingMiddleware {
  /** @returns The response, with `Cache-Control: no-store` unless it is public. */
  process(response: Response): Response {
    const current = response.headers.get('cache-control') ?? ''
    if (!current.includes('public')) response.headers.set('cache-control', 'no-store')
    return response
  }
}
