import { type HttpContext, inject } from 'sallyport'
import { type Next, ParameterizedMiddleware } from 'sallyport/http'
import { pageOf, TurnedAwayException } from 'sallyport-app/pages'
import { SuspendedActions } from 'sallyport-app/step-up'
import { FactorKinds } from '../factors/known-kinds.ts'
import { StepUp, type StepUpRule } from './step-up.ts'

/**
 * Admits a request whose session has proven password and second factor within the last minutes. Every other one is sent to the
 * page that asks for what is missing, and from there back to the page of the action: nothing happens by itself. Put it behind
 * `RequireLogin` and every other guard, on GET and POST of a page of one path.
 */
export class RequireStepUp extends ParameterizedMiddleware<HttpContext> {
  readonly #stepUp = inject(StepUp)
  readonly #rule: StepUpRule

  /** @param rule The rule, or its action alone. */
  constructor(rule: StepUpRule | string) {
    super()
    const full = typeof rule === 'string' ? { action: rule } : rule
    this.#rule = inject(SuspendedActions<StepUpRule>).add(new.target, full, inject(FactorKinds).held)
  }

  /** @throws {TurnedAwayException} If a proof is missing: for a program a 403 with the code `ERR_APP_STEP_UP_REQUIRED`. */
  async process(context: HttpContext, next: Next): Promise<Response> {
    const { password, factor, holdsNone } = await this.#stepUp.missing(context, this.#rule)
    if (!password && !factor) return next()
    const url = context.url('security:confirm', { return_url: pageOf(context) })
    if (holdsNone) {
      const detail = `Set up a second factor of the kind ${this.#rule.kinds?.join(' or ')} first: see ${url}`
      throw new TurnedAwayException({ status: 403, code: 'ERR_APP_STEP_UP_FACTOR_REQUIRED', detail }, url)
    }
    const proofs = [...(password ? ['the password'] : []), ...(factor ? ['a second factor'] : [])]
    const detail = `Prove ${proofs.join(' and ')} at ${url} first`
    throw new TurnedAwayException({ status: 403, code: 'ERR_APP_STEP_UP_REQUIRED', detail }, url)
  }
}
