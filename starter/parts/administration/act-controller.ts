import { type ShownForm, type Submitted, ValidationException } from 'sallyport/input'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from '../../core/clients/client.ts'
import { Account } from '../../core/accounts/account.ts'
import type { Act } from './acts.ts'
import { keptCredentialVersion } from '../../core/sessions/session-credentials.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import type { PageMessage } from '../../core/pages/presentation.ts'

/** The field of every form of the administration. */
export interface Reason {
  readonly reason: string
}

/** Schema of the field. The use case judges what a reason is. */
export const reasonSchema: z.ZodType<Reason> = z.object({ reason: z.string() })

/** The messages of an act. */
export interface ActWords {
  /** Title of its page, which names it at the step-up, too. */
  readonly title: string
  /** What it does. */
  readonly lead: string
  /** Its button. */
  readonly submit: string
  /** What the next page says. */
  readonly done: string
  /** Whether somebody loses something by it. Default: false. */
  readonly isDangerous?: boolean
}

/** What the page of an act shows. */
export interface ShownAct {
  readonly words: ActWords
  /** What it is done to: labels and values. */
  readonly facts: readonly { readonly label: string; readonly value: string }[]
  /** Where the form goes. */
  readonly action: string
  /** Where cancelling, and success, lead to. */
  readonly back: string
  /** Beside the lead. Default: nothing. */
  readonly warning?: PageMessage
}

/** Base of the pages on which something is administered: each asks for a reason. */
export abstract class ActController extends PageController {
  /**
   * @param status Status of the response. Default: 200.
   * @returns The page.
   */
  protected actPage(shown: ShownAct, form: ShownForm, status = 200): View {
    const { words, facts, action, back, warning } = shown
    const page = { title: words.title, failed: status !== 200, page: 'admin', narrow: true }
    return this.page(
      'administration::act',
      { ...page, words, facts, action, back, warning, form },
      { status },
    )
  }

  /**
   * Does it. A rule that refuses is shown on the page, also to those who hold the permission.
   *
   * @param run Calls the use case; a string that it returns is the message for the next page, if that is another one than usual.
   * @returns A redirect; the page with the error, if it was refused.
   */
  protected async attempt(
    shown: ShownAct,
    form: Submitted<Reason>,
    run: (act: Act) => Promise<unknown>,
  ): Promise<View | Response> {
    if (!form.ok) return this.actPage(shown, form, 422)
    try {
      const done = await run(await this.#act(form.value.reason))
      const text = typeof done === 'string' ? done : shown.words.done
      return await this.redirectSaying(shown.back, { kind: 'notice', text })
    } catch (error) {
      if (!(error instanceof ValidationException)) throw error
      return this.actPage(shown, form.refuse(...error.violations), 422)
    }
  }

  async #act(reason: string): Promise<Act> {
    const { context } = this
    const { id } = context.auth().principalAs(Account)
    // A session without a version is none of a signed-in user; 0 is the version of no account.
    const credentialVersion = (await keptCredentialVersion(context.session())) ?? 0
    return { by: { kind: 'account', id, ...clientOf(context), credentialVersion }, reason }
  }
}
