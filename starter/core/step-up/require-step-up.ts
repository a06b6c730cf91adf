import { type HttpContext, inject } from 'sallyport'
import { type Next, ParameterizedMiddleware } from 'sallyport/http'
import { TurnedAwayException } from '../sessions/turned-away.ts'
import { StepUp } from './step-up.ts'

/**
 * Admits a request whose session has proven password and second factor within the last minutes. Every other one is sent to the
 * page that asks for what is missing, and from there back to the page of the action: nothing happens by itself. Put it behind
 * `RequireLogin` and every other guard, on GET and POST of a page of one path.
 */
export class RequireStepUp extends ParameterizedMiddleware<HttpContext> {
  readonly #stepUp = inject(StepUp)
  readonly #action: string

  constructor(action: string) {
    super()
    if (!action.startsWith(STEP_UP_ACTION))
      throw new TypeError(`Cannot name an action "${action}": it must begin with "${STEP_UP_ACTION}"`)
    this.#action = action
  }

  /** @throws {TurnedAwayException} If a proof is missing: for a program a 403 with the code `ERR_STARTER_STEP_UP_REQUIRED`. */
  async process(context: HttpContext, next: Next): Promise<Response> {
    const { password, factor } = await this.#stepUp.missing(context, this.#action)
    if (!password && !factor) return next()
    const url = context.url('security:confirm', { return_url: pageOf(context) })
    const missing = [...(password ? ['the password'] : []), ...(factor ? ['a second factor'] : [])].join(
      ' and ',
    )
    const detail = `Prove ${missing} at ${url} first`
    throw new TurnedAwayException({ status: 403, code: STEP_UP_REQUIRED, detail }, url)
  }
}

/** How the messages of suspended actions begin. */
export const STEP_UP_ACTION = 'step-up.action.'

const STEP_UP_REQUIRED = 'ERR_STARTER_STEP_UP_REQUIRED'

// A form is shown again, empty; what was in its query is none of its page.
function pageOf(context: HttpContext): string {
  const isRead = context.method() === 'GET' || context.method() === 'HEAD'
  const query = isRead ? context.query() : ''
  return query === '' ? context.path() : `${context.path()}?${query}`
}
