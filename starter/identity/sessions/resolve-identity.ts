import { type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Middleware, Next } from 'sallyport/http'
import { Users } from '../accounts/users.ts'

/**
 * Establishes the identity of a request from its session. It protects nothing: a request without an identity continues
 * anonymously. Account and permissions are loaded for each request, so disabling an account takes effect with the next one.
 */
export class ResolveIdentity implements Middleware<HttpContext> {
  readonly #sessions = inject(SessionAuthentication)
  readonly #users = inject(Users)

  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    const identifier = await this.#sessions.identifier(context.session())
    const identity = identifier === null ? null : await this.#users.authenticationIdentity(identifier)
    if (identity !== null) context.auth().authenticate(identity.principal, identity.permissions)
    return next()
  }
}
