import { type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Middleware, Next } from 'sallyport/http'
import { Users } from './users.ts'

/**
 * Says who is behind a request. It protects nothing: whoever it cannot name goes on as anonymous. Account and
 * permissions are loaded anew each time, so a disabled account is out with its next request.
 */
export class ResolveIdentity implements Middleware<HttpContext> {
  readonly #sessions = inject(SessionAuthentication)
  readonly #users = inject(Users)

  /**
   * @param context Context of the request.
   * @param next Goes on.
   * @returns The response of what stands behind.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    const identifier = await this.#sessions.identifier(context.session())
    const identity = identifier === null ? null : await this.#users.authenticationIdentity(identifier)
    if (identity !== null) context.auth().authenticate(identity.principal, identity.permissions)
    return next()
  }
}
