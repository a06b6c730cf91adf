import type { Kysely } from 'kysely'
import type { HttpContext } from 'sallyport'
import type { SessionAuthentication } from 'sallyport/auth'
import type { Schema } from '../database/schema.ts'
import { AuditEvent, type AuditTrail } from './audit-trail.ts'
import type { PasswordCheck, PasswordProof } from './password-check.ts'
import { discardPendingLogin } from './pending-login.ts'
import { takeReturnTarget } from './return-target.ts'

/** The only place that calls `login()`: once every factor that the account requires is proven. */
export class LoginCompletion {
  readonly #database: Kysely<Schema>
  readonly #sessions: SessionAuthentication
  readonly #passwords: PasswordCheck
  readonly #audit: AuditTrail

  /**
   * @param services The `database` of the accounts, `sessions` of the framework, the `passwords` whose failures are
   *   forgotten, the `audit` trail.
   */
  constructor(services: {
    readonly database: Kysely<Schema>
    readonly sessions: SessionAuthentication
    readonly passwords: PasswordCheck
    readonly audit: AuditTrail
  }) {
    this.#database = services.database
    this.#sessions = services.sessions
    this.#passwords = services.passwords
    this.#audit = services.audit
  }

  /**
   * Completes a login that the password alone proves.
   *
   * @param context Context of the request.
   * @param proof Whose login it is, with the identity as reloaded in this request.
   * @returns Path of the page to go to.
   * @throws {ServiceUnavailableException} If the accounts cannot be reached or the session store fails.
   */
  async complete(context: HttpContext, proof: PasswordProof): Promise<string> {
    await this.#database.transaction().execute((transaction) => this.record(context, proof, transaction))
    return this.enter(context, proof)
  }

  /**
   * Writes a login down before it happens: nobody is logged in whose login could not be recorded.
   *
   * @param context Context of the request.
   * @param proof Whose login it is.
   * @param database The transaction in which the last proof is used up.
   */
  async record(context: HttpContext, proof: PasswordProof, database: Kysely<Schema>): Promise<void> {
    const { identifier, identity } = proof
    await this.#passwords.forgetFailures(identity.principal.email, database)
    const entry = { kind: AuditEvent.LoggedIn, accountId: identifier, clientAddress: context.clientAddress() }
    await this.#audit.record(entry, database)
  }

  /**
   * Ends the pending login, then authenticates the session and the request. The login was recorded before.
   *
   * @param context Context of the request.
   * @param proof Whose login it is, with the identity as reloaded in this request.
   * @returns Path of the page to go to.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async enter(context: HttpContext, proof: PasswordProof): Promise<string> {
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
    return target
  }
}
