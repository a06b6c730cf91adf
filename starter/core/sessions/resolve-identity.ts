import { type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Middleware, Next } from 'sallyport/http'
import type { Session } from 'sallyport/session'
import { type AuthenticationIdentity, Users } from '../accounts/users.ts'
import { Parts } from '../part.ts'
import { hasCurrentCredentials, keepCredentialVersion, keptCredentialVersion } from './session-credentials.ts'

/**
 * Establishes the identity of a request from its session, and protects nothing. Account and permissions are loaded for each request, so
 * disabling an account, or a change of its credentials, takes effect with the next one.
 */
export class ResolveIdentity implements Middleware<HttpContext> {
  readonly #sessions = inject(SessionAuthentication)
  readonly #users = inject(Users)
  readonly #steps = inject(Parts).services('signIn')

  async process(context: HttpContext, next: Next): Promise<Response> {
    // The session is read when all of a form has arrived: one that has ended meanwhile must not act. What is wrong with the form
    // is told by what asks for it.
    await context.form().catch(() => null)
    await this.establish(context)
    return next()
  }

  /** Does the same where no route is reached: for the page of an error. */
  async establish(context: HttpContext): Promise<void> {
    const identifier = await this.#sessions.identifier(context.session())
    const identity = identifier === null ? null : await this.#users.authenticationIdentity(identifier)
    if (identity !== null) await this.#admit(context, identity)
  }

  // What began this session holds no more: it ends, and the person is told.
  async #admit(context: HttpContext, identity: AuthenticationIdentity): Promise<void> {
    const session = context.session()
    const cause = await this.#causeOfEnd(session, identity)
    if (cause === undefined) {
      const { credentialVersion } = identity
      // Another request in this session has changed the credentials, and has not written the session yet.
      if ((await keptCredentialVersion(session)) !== credentialVersion)
        await keepCredentialVersion(session, credentialVersion)
      context.auth().authenticate(identity.principal, identity.permissions)
      return
    }
    await this.#sessions.logout(session, context.auth())
    await context.flash().add('warning', cause)
  }

  async #causeOfEnd(session: Session, identity: AuthenticationIdentity): Promise<string | undefined> {
    if (!(await hasCurrentCredentials(session, identity))) return 'sign-in.ended'
    for (const step of this.#steps) {
      const cause = await step.endOf?.(session, identity.principal.id)
      if (cause !== undefined) return cause
    }
    return undefined
  }
}
