import { HttpException } from './http-exception.ts'
import { assertRedirect, toLocation } from './location.ts'

/**
 * A redirect, thrown anywhere in a request.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { RedirectException } from 'sallyport/http'
 *
 * const redirect = new RedirectException('/login?next=/cart', 303)
 *
 * assert.deepEqual([redirect.status, redirect.headers['location']], [303, '/login?next=/cart'])
 * ```
 *
 * @see RFC 9110 section 15.4
 */
export class RedirectException extends HttpException {
  declare readonly code: 'ERR_HTTP_REDIRECT'

  /** Status of a permanent redirect, which clients may cache. */
  static readonly MOVED_PERMANENTLY_REDIRECT = 301

  /** Target URL as passed to the constructor. */
  readonly target: string

  /**
   * @param target A path on this origin or an absolute http or https URL.
   * @param status 301, 302, 303, 307 or 308. Default: 302.
   * @throws {TypeError} If the target is neither a path on this origin nor an http or https URL. The client gets a 400.
   * @throws {RangeError} If the status is not a redirect status.
   */
  constructor(target: string, status = 302) {
    assertRedirect(status)
    super(status, 'ERR_HTTP_REDIRECT', 'This page is elsewhere', {
      headers: { location: toLocation(target) },
    })
    this.target = target
  }
}
