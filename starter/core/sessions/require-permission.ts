import type { HttpContext } from 'sallyport'
import { ForbiddenException, type Next, ParameterizedMiddleware } from 'sallyport/http'

/** Admits users with a permission. Put it behind a guard that requires a login. */
export class RequirePermission extends ParameterizedMiddleware<HttpContext> {
  readonly #permission: string

  constructor(permission: string) {
    super()
    this.#permission = permission
  }

  /**
   * @returns The response of the rest of the chain.
   * @throws {ForbiddenException} If the permission is missing.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    if (!context.auth().allows(this.#permission))
      throw new ForbiddenException('Your account may not open this page: it lacks the required permission')
    return next()
  }
}
