import { type HttpContext, inject } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { Account } from '../accounts/account.ts'
import { SecondFactors } from '../factors/second-factors.ts'
import { TurnedAway, TurnedAwayException } from '../sessions/turned-away.ts'

/**
 * Admits a request about a second factor that the signed-in account has. Put it behind `RequireLogin`, on a route whose first parameter is the
 * identifier, and before the step-up: nobody is asked to confirm what is done.
 */
export class RequireOwnFactor implements Middleware<HttpContext> {
  readonly #factors = inject(SecondFactors)

  /**
   * @returns The response of the rest of the chain.
   * @throws {TurnedAwayException} If the account has no such factor.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    const { id: accountId } = context.auth().principalAs(Account)
    const wanted = String(context.route().args[0])
    const usable = await this.#factors.usable(accountId)
    if (usable.some(({ id, is }) => is.isHeld && id === wanted)) return next()
    throw new TurnedAwayException(TurnedAway.noSuchFactor, context.url('security:home'))
  }
}
