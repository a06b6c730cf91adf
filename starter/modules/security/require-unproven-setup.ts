import { Clock, type HttpContext, inject } from 'sallyport'
import { type Next, ParameterizedMiddleware } from 'sallyport/http'
import { Account } from '../../identity/accounts/account.ts'
import { readSetup } from '../../identity/factors/pending-setup.ts'
import { TotpFactors } from '../../identity/factors/totp-factors.ts'
import { alreadyAdded, type CodeKind } from './authenticator-texts.ts'
import { leadBack } from './lead-back.ts'

/**
 * Leads a request back to the overview whose set-up of an additional authenticator another request has just proven, and has not noted in
 * the session yet. Put it behind `RequireLogin` and before the step-up, which would ask to confirm what is done.
 */
export class RequireUnprovenSetup extends ParameterizedMiddleware<HttpContext> {
  readonly #factors = inject(TotpFactors)
  readonly #clock = inject(Clock)
  readonly #kind: CodeKind

  /**
   * @param kind What the codes of the authenticator are made from.
   */
  constructor(kind: CodeKind) {
    super()
    this.#kind = kind
  }

  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {RedirectException} If the authenticator was added.
   * @throws {HttpException} If it was, and the client prefers JSON.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    const { id: accountId } = context.auth().principalAs(Account)
    const purpose = { accountId, replaces: null, kind: this.#kind }
    const id = await readSetup(context.session(), purpose, this.#clock)
    if (id === undefined) return next()
    const known = await this.#factors.list(accountId)
    return known.some((factor) => factor.id === id) ? leadBack(context, alreadyAdded(this.#kind)) : next()
  }
}
