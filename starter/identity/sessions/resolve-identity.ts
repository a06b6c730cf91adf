import { type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Middleware, Next } from 'sallyport/http'
import { type AuthenticationIdentity, Users } from '../accounts/users.ts'
import { hasCurrentCredentials } from './session-credentials.ts'

/**
 * Establishes the identity of a request from its session. It protects nothing: a request without an identity continues
 * anonymously. Account and permissions are loaded for each request, so disabling an account takes effect with the next one, and
 * so does a change of its credentials.
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
    if (identity !== null) await this.#establish(context, identity)
    return next()
  }

  // The credentials have changed since this session began: it ends, and the person is told.
  async #establish(context: HttpContext, identity: AuthenticationIdentity): Promise<void> {
    if (await hasCurrentCredentials(context.session(), identity)) {
      context.auth().authenticate(identity.principal, identity.permissions)
      return
    }
    await this.#sessions.logout(context.session(), context.auth())
    await context.flash().add('warning', 'sign-in.ended')
  }
}
