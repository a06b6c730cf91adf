import { type HttpContext, inject } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { Account } from '../../identity/accounts/account.ts'
import { Passkeys } from '../../identity/factors/passkeys.ts'
import { asksToConfirm } from '../../identity/step-up/require-step-up.ts'
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
    try {
      return await next()
    } catch (error) {
      // Looked at afterwards: the passkey itself, added a moment ago, may be what the step-up asks for.
      if (asksToConfirm(error) && (await this.#isAdded(context)))
        return leadBack(context, TurnedAway.passkeyAdded)
      throw error
    }
  }

  async #isAdded(context: HttpContext): Promise<boolean> {
    const form = await context.form().catch(() => null)
    const { id } = context.auth().principalAs(Account)
    return this.#passkeys.hasAdded(id, form?.text('response') ?? '')
  }
}
