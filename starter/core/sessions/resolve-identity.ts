import { type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Middleware, Next } from 'sallyport/http'
import { hasCurrentCredentials, keepCredentialVersion, keptCredentialVersion } from 'sallyport-app/sessions'
import { Users } from '../accounts/users.ts'

/**
 * Establishes the identity of a request from its session, and protects nothing. Account and permissions are loaded for each request, so
 * disabling an account, or a change of its credentials, takes effect with the next one.
 */
export class ResolveIdentity implements Middleware<HttpContext> {
  readonly #sessions = inject(SessionAuthentication)
  readonly #users = inject(Users)

  async process(context: HttpContext, next: Next): Promise<Response> {
    // The session is read when all of a form has arrived: one that has ended meanwhile must not act. What is wrong with the form
    // is told by what asks for it.
    await context.form().catch(() => null)
    await this.establish(context)
    return next()
  }

  /** Does the same where no route is reached: for the page of an error. */
  async establish(context: HttpContext): Promise<void> {
    const session = context.session()
    const identifier = await this.#sessions.identifier(session)
    const identity = identifier === null ? null : await this.#users.authenticationIdentity(identifier)
    if (identity === null) return
    if (!(await hasCurrentCredentials(session, identity))) {
      await this.#sessions.logout(session, context.auth())
      await context.flash().add('warning', 'sign-in.ended')
      return
    }
    const { credentialVersion } = identity
    // Another request in this session has changed the credentials, and has not written the session yet.
    if ((await keptCredentialVersion(session)) !== credentialVersion)
      await keepCredentialVersion(session, credentialVersion)
    context.auth().authenticate(identity.principal, identity.permissions)
  }
}
