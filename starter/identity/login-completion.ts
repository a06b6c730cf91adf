import type { HttpContext } from 'sallyport'
import type { SessionAuthentication } from 'sallyport/auth'
import { AuditEvent, type AuditTrail } from './audit-trail.ts'
import type { PasswordCheck, PasswordProof } from './password-check.ts'
import { discardPendingLogin } from './pending-login.ts'
import { takeReturnTarget } from './return-target.ts'

/** The only place that calls `login()`: once every factor that the account requires is proven. */
export class LoginCompletion {
  readonly #sessions: SessionAuthentication
  readonly #passwords: PasswordCheck
  readonly #audit: AuditTrail

  /**
   * @param services `sessions` of the framework, the `passwords` whose failures are forgotten, the `audit` trail.
   */
  constructor(services: {
    readonly sessions: SessionAuthentication
    readonly passwords: PasswordCheck
    readonly audit: AuditTrail
  }) {
    this.#sessions = services.sessions
    this.#passwords = services.passwords
    this.#audit = services.audit
  }

  /**
   * Ends the pending login, then authenticates the session and the request.
   *
   * @param context Context of the request.
   * @param proof Whose login it is, with the identity as reloaded in this request.
   * @returns Path of the page to go to.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async complete(context: HttpContext, proof: PasswordProof): Promise<string> {
    const { identifier, identity } = proof
    const target = await takeReturnTarget(context)

    // First remove, then log in: login() keeps unrelated data, and `_2fa` would be that.
    await discardPendingLogin(context.session())
    await this.#sessions.login(
      context.session(),
      context.auth(),
      identifier,
      identity.principal,
      identity.permissions,
    )

    await this.#passwords.forgetFailures(identity.principal.email)
    const clientAddress = context.clientAddress()
    await this.#audit.record({ kind: AuditEvent.LoggedIn, accountId: identifier, clientAddress })
    return target
  }
}
