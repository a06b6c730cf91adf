import type { HttpContext } from 'sallyport'
import type { OutgoingMiddleware } from 'sallyport/http'
import { type DeviceToken, isSentWith } from './device-cookie.ts'

/** A token that a response is about to give to its browser. */
export interface NextToken {
  /** The token. */
  readonly to: DeviceToken
  /** Called when the response has it. Default: nothing happens. */
  readonly sent?: () => Promise<void>
  /** Called when it has not: nobody will ever hold the token. */
  readonly unsent: () => Promise<void>
}

/**
 * Takes back what a login stored about its browser when the response does not say so. The session is written after that, and a
 * response without it has no cookie: the browser would show its former token again, which looks like a theft.
 */
export class UnsentTokens implements OutgoingMiddleware<HttpContext> {
  readonly #next = new WeakMap<HttpContext, NextToken>()

  /**
   * @param context Context of the request.
   * @param next What its response should have.
   */
  watch(context: HttpContext, next: NextToken): void {
    this.#next.set(context, next)
  }

  /**
   * @param response The response, with its cookies.
   * @param context Context of the request.
   * @returns The response.
   */
  process(response: Response, context: HttpContext): Response | Promise<Response> {
    const next = this.#next.get(context)
    return next === undefined ? response : this.#settle(response, context, next)
  }

  async #settle(response: Response, context: HttpContext, next: NextToken): Promise<Response> {
    if (isSentWith(response, context, next.to)) await next.sent?.()
    else await next.unsent()
    return response
  }
}
