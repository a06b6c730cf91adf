import { Clock, type HttpContext, inject } from 'sallyport'
import { type Next, ParameterizedMiddleware } from 'sallyport/http'
import { Account } from '../../identity/accounts/account.ts'
import { Passkeys } from '../../identity/factors/passkeys.ts'
import { readSetup } from '../../identity/factors/pending-setup.ts'
import { TotpFactors } from '../../identity/factors/totp-factors.ts'
import { asksToConfirm } from '../../identity/step-up/require-step-up.ts'
import { TurnedAway } from '../turned-away.ts'
import { alreadyAdded, type CodeKind } from './authenticator-texts.ts'
import { leadBack } from './lead-back.ts'

/**
 * Leads the second of two equal forms back to the overview, which says that its factor was already added: this session may not know
 * that yet. Put it behind `RequireLogin` and before the step-up, which would ask to confirm what is done.
 */
export class RequireUnadded extends ParameterizedMiddleware<HttpContext> {
  readonly #factors = inject(TotpFactors)
  readonly #passkeys = inject(Passkeys)
  readonly #clock = inject(Clock)
  readonly #kind: CodeKind | 'passkey'

  /**
   * @param kind What is added.
   */
  constructor(kind: CodeKind | 'passkey') {
    super()
    this.#kind = kind
  }

  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {RedirectException} If the factor was added.
   * @throws {HttpException} If it was, and the client prefers JSON.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    try {
      return await next()
    } catch (error) {
      // Looked at afterwards: the factor itself, added a moment ago, may be what the step-up asks for.
      const why = asksToConfirm(error) ? await this.#added(context) : undefined
      if (why !== undefined) return leadBack(context, why)
      throw error
    }
  }

  async #added(context: HttpContext): Promise<TurnedAway | undefined> {
    const { id: accountId } = context.auth().principalAs(Account)
    const kind = this.#kind
    if (kind === 'passkey') {
      const form = await context.form().catch(() => null)
      const isAdded = await this.#passkeys.hasAdded(accountId, form?.text('response') ?? '')
      return isAdded ? TurnedAway.passkeyAdded : undefined
    }
    const id = await readSetup(context.session(), { accountId, replaces: null, kind }, this.#clock)
    const known = await this.#factors.list(accountId)
    return known.some((factor) => factor.id === id) ? alreadyAdded(kind) : undefined
  }
}
