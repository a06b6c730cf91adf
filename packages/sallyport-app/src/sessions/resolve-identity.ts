import { type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Middleware, Next } from 'sallyport/http'
import {
  type CurrentCredentials,
  hasCurrentCredentials,
  keepCredentialVersion,
  keptCredentialVersion,
} from './session-credentials.ts'

/** An account that may sign in, as a request is established with it. */
export interface AccountIdentity extends CurrentCredentials {
  /** The object that the application calls the account. */
  readonly principal: object
  /** What it may do at present. */
  readonly permissions: readonly string[]
}

/**
 * Establishes the identity of a request from its session, and protects nothing. The account is loaded for each request, so disabling it,
 * or a change of its credentials, takes effect with the next one. An application says where its accounts are.
 */
export abstract class ResolveIdentity implements Middleware<HttpContext> {
  readonly #sessions = inject(SessionAuthentication)

  /**
   * Looks for an account.
   *
   * @param identifier Its reference.
   * @returns The account; null for an unknown one, and for one that may no longer sign in.
   */
  protected abstract identityOf(identifier: string): Promise<AccountIdentity | null>

  /**
   * Tells somebody that a change of credentials has ended their session.
   *
   * @param context The request, which is anonymous now.
   */
  protected abstract tellEnded(context: HttpContext): Promise<void>

  /**
   * Establishes the identity, when all of a form has arrived: a session that has ended meanwhile must not act.
   *
   * @param context The request.
   * @param next The rest of the chain.
   * @returns The response of the rest of the chain.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    // What is wrong with the form is told by what asks for it.
    await context.form().catch(() => null)
    await this.establish(context)
    return next()
  }

  /**
   * Does the same where no route is reached: for the page of an error.
   *
   * @param context The request.
   */
  async establish(context: HttpContext): Promise<void> {
    const session = context.session()
    const identifier = await this.#sessions.identifier(session)
    const identity = identifier === null ? null : await this.identityOf(identifier)
    if (identity === null) return
    if (!(await hasCurrentCredentials(session, identity))) {
      await this.#sessions.logout(session, context.auth())
      await this.tellEnded(context)
      return
    }
    const { credentialVersion, principal, permissions } = identity
    // Another request in this session has changed the credentials, and has not written the session yet.
    if ((await keptCredentialVersion(session)) !== credentialVersion)
      await keepCredentialVersion(session, credentialVersion)
    context.auth().authenticate(principal, permissions)
  }
}
