import { type HttpContext, inject } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { TurnedAwayException } from './turned-away.ts'
import { ReturnTargets } from './return-target.ts'

// A 401 names a scheme. No scheme of HTTP stands for the session of a browser, and one that a browser knows would make it ask.
const CHALLENGE = { 'www-authenticate': 'Session realm="account"' }
const ANONYMOUS = {
  status: 401,
  code: 'ERR_AUTH_UNAUTHORIZED',
  detail: 'Authentication is required',
} as const

/** Admits signed-in users; a browser of anybody else is led to the login page. */
export class RequireLogin implements Middleware<HttpContext> {
  /** Marks the pages that a login may return to. */
  static readonly requiresLogin = true

  readonly #targets = inject(ReturnTargets)

  /**
   * @returns The response of the rest of the chain.
   * @throws {TurnedAwayException} If the request is anonymous.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    if (context.auth().isAuthenticated()) return next()
    throw new TurnedAwayException(ANONYMOUS, await this.#targets.loginUrl(context), CHALLENGE)
  }
}
