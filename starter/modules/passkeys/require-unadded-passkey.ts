import { type HttpContext, inject } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { Account } from '../../identity/accounts/account.ts'
import { Passkeys } from '../../identity/factors/passkeys.ts'
import { leadBack } from '../security/lead-back.ts'
import { TurnedAway } from '../turned-away.ts'

/**
 * Leads the second of two equal forms back to the overview, which says that its passkey was already added. Put it behind `RequireLogin`
 * and before the step-up, which would ask to confirm what is done.
 */
export class RequireUnaddedPasskey implements Middleware<HttpContext> {
  readonly #passkeys = inject(Passkeys)

  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {RedirectException} If the passkey was added.
   * @throws {HttpException} If it was, and the client prefers JSON.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    // What is wrong with the form is told by the action.
    const form = await context.form().catch(() => null)
    const response = form?.text('response')
    if (response === undefined) return next()
    const { id } = context.auth().principalAs(Account)
    return (await this.#passkeys.hasAdded(id, response)) ? leadBack(context, TurnedAway.passkeyAdded) : next()
  }
}
