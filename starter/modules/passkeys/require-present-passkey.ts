import { type HttpContext, inject } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { Account } from '../../identity/accounts/account.ts'
import { Passkeys } from '../../identity/factors/passkeys.ts'
import { TurnedAway, TurnedAwayException } from '../../identity/sessions/turned-away.ts'

/**
 * Admits the removal of a passkey that the signed-in account has. Every other one is led back to the overview, which says that there
 * is none, or not any more: the same form may come a second time. Put it behind `RequireLogin`, on a route whose first parameter is the
 * identifier, and before the step-up: nobody is asked to confirm what is done.
 */
export class RequirePresentPasskey implements Middleware<HttpContext> {
  readonly #passkeys = inject(Passkeys)

  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {TurnedAwayException} If the account has no such passkey.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    const { id: accountId } = context.auth().principalAs(Account)
    const passkey = await this.#passkeys.find(accountId, String(context.route().args[0]))
    if (passkey !== undefined) return next()
    throw new TurnedAwayException(TurnedAway.noSuchPasskey, context.url('security:home'))
  }
}
