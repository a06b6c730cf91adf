import { type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { clientOf } from 'sallyport-app/clients'
import { keepCredentialVersion, recordProofs, sessionDetails } from 'sallyport-app/sessions'
import { ReturnTargets } from '../sessions/return-target.ts'
import type { Proofs, SigningIn } from '../sign-in-step.ts'
import { leaveLogin } from './sign-out.ts'

/** The only code that calls `login()`, after every factor that the account requires has been proven, and that was recorded. */
export class SessionEntry {
  readonly #sessions = inject(SessionAuthentication)
  readonly #targets = inject(ReturnTargets)

  /** @returns Path of the next page. */
  async enter(context: HttpContext, { identifier, identity }: SigningIn, proven: Proofs): Promise<string> {
    const session = context.session()
    const target = await this.#targets.take(context)
    // Remove first: login() keeps unrelated entries, and `_2fa` would be one.
    await leaveLogin(context)
    // Before the identity: a session never has one without a version.
    const { credentialVersion, principal, permissions } = identity
    await keepCredentialVersion(session, credentialVersion)
    await recordProofs(session, identifier, proven)
    const details = sessionDetails(clientOf(context), proven)
    await this.#sessions.login(session, context.auth(), identifier, principal, permissions, { details })
    // The next page has a form: the secret of its token is written with the rest of the session.
    await context.csrf().token()
    return target
  }
}
