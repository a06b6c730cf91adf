import { Clock, type HttpContext, inject } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { Account } from '../../identity/accounts/account.ts'
import { setupsFor } from '../../identity/factors/pending-setup.ts'
import { TotpFactors } from '../../identity/factors/totp-factors.ts'
import { TurnedAway } from '../turned-away.ts'
import { leadBack } from './lead-back.ts'

/**
 * Admits a request about an authenticator that the signed-in account has. Every other one is led back to the overview, which says what
 * has become of it: the same form may come a second time. Put it behind `RequireLogin`, on a route whose first parameter is the
 * identifier, and before the step-up: nobody is asked to confirm what is done.
 */
export class RequireOwnFactor implements Middleware<HttpContext> {
  readonly #factors = inject(TotpFactors)
  readonly #clock = inject(Clock)

  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {RedirectException} If the account has no such authenticator.
   * @throws {HttpException} If it has none, and the client prefers JSON.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    const { id: accountId } = context.auth().principalAs(Account)
    const replaces = String(context.route().args[0])
    const known = new Set((await this.#factors.list(accountId)).map(({ id }) => id))
    if (known.has(replaces)) return next()
    const setups = await setupsFor(context.session(), { accountId, replaces }, this.#clock)
    const isReplaced = setups.some(({ id }) => known.has(id))
    return leadBack(context, isReplaced ? TurnedAway.alreadyReplaced : TurnedAway.noSuchFactor)
  }
}
