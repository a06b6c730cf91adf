import { type HttpContext, inject } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { Account } from '../../identity/accounts/account.ts'
import { TotpFactors } from '../../identity/factors/totp-factors.ts'
import { TurnedAway, TurnedAwayException } from '../../identity/sessions/turned-away.ts'

/**
 * Admits a request about an authenticator that the signed-in account has. Put it behind `RequireLogin`, on a route whose first parameter is the
 * identifier, and before the step-up: nobody is asked to confirm what is done.
 */
export class RequireOwnFactor implements Middleware<HttpContext> {
  readonly #factors = inject(TotpFactors)

  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {TurnedAwayException} If the account has no such authenticator.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    const { id: accountId } = context.auth().principalAs(Account)
    const replaces = String(context.route().args[0])
    if ((await this.#factors.list(accountId)).some(({ id }) => id === replaces)) return next()
    throw new TurnedAwayException(TurnedAway.noSuchFactor, context.url('security:home'))
  }
}
