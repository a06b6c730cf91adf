import { type HttpContext, inject } from 'sallyport'
import { type Next, ParameterizedMiddleware } from 'sallyport/http'
import { TurnedAwayException } from 'sallyport-app/pages'
import { FactorKinds } from '../factors/known-kinds.ts'
import { StepUp } from './step-up.ts'
import { assertStepUpRule, type StepUpRule } from './step-up-rule.ts'
import { SuspendedActions } from './suspended-action.ts'

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
    this.#rule = typeof rule === 'string' ? { action: rule } : rule
    assertStepUpRule(this.#rule, inject(FactorKinds).held)
    inject(SuspendedActions).add(new.target, this.#rule)
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

// A form is shown again, empty; what was in its query is none of its page.
function pageOf(context: HttpContext): string {
  const isRead = context.method() === 'GET' || context.method() === 'HEAD'
  const query = isRead ? context.query() : ''
  return query === '' ? context.path() : `${context.path()}?${query}`
}
