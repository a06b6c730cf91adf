import { type HttpContext, inject } from 'sallyport'
import { ForbiddenException, type Middleware, type Next, ParameterizedMiddleware } from 'sallyport/http'
import { TurnedAwayException } from 'sallyport-app/pages'
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

  /** @throws {TurnedAwayException} If the request is anonymous. */
  async process(context: HttpContext, next: Next): Promise<Response> {
    if (context.auth().isAuthenticated()) return next()
    throw new TurnedAwayException(ANONYMOUS, await this.#targets.loginUrl(context), CHALLENGE)
  }
}

/** Admits users with a permission. Put it behind a guard that requires a login. */
export class RequirePermission extends ParameterizedMiddleware<HttpContext> {
  readonly #permission: string

  constructor(permission: string) {
    super()
    this.#permission = permission
  }

  /** @throws {ForbiddenException} If the permission is missing. */
  async process(context: HttpContext, next: Next): Promise<Response> {
    if (!context.auth().allows(this.#permission))
      throw new ForbiddenException('Your account may not open this page: it lacks the required permission')
    return next()
  }
}
