import { Clock, type HttpContext, inject } from 'sallyport'
import { type Middleware, type Next, prefersJson } from 'sallyport/http'
import { Account } from '../../identity/accounts/account.ts'
import { hasChangedPassword } from '../../identity/step-up/changed-password.ts'
import { hasOutdatedProofs } from '../../identity/step-up/proofs.ts'
import { asksToConfirm } from '../../identity/step-up/require-step-up.ts'
import { TurnedAway } from '../turned-away.ts'
import { leadBack } from './lead-back.ts'

/**
 * Leads a form that comes once more back to the overview, which says that the password has been changed: the change has used up the
 * proofs, and the step-up would ask to confirm what is done. A program is asked to confirm: whether it means another change cannot be
 * known. Put it behind `RequireLogin` and before the step-up.
 */
export class RequireUnchangedPassword implements Middleware<HttpContext> {
  readonly #clock = inject(Clock)

  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {RedirectException} If this session has changed the password within the last minutes, and the step-up asks to confirm.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    try {
      return await next()
    } catch (error) {
      const isForm = context.method() === 'POST' && !prefersJson(context.header('accept'))
      const why = isForm && asksToConfirm(error) ? await this.#change(context) : undefined
      if (why !== undefined) return leadBack(context, why)
      throw error
    }
  }

  async #change(context: HttpContext): Promise<TurnedAway | undefined> {
    const session = context.session()
    const { id } = context.auth().principalAs(Account)
    if (await hasChangedPassword(session, id, this.#clock)) return TurnedAway.passwordChanged
    // By a request of this session that has not written it yet.
    return (await hasOutdatedProofs(session, id)) ? TurnedAway.credentialsChanged : undefined
  }
}
