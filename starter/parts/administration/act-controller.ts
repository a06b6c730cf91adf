import { inject } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import { blankForm, type ShownForm, type Submitted, ValidationException } from 'sallyport/input'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import { PageController } from '../../core/pages/page-controller.ts'
import type { PageMessage } from '../../core/pages/presentation.ts'
import { keptCredentialVersion } from '../../core/sessions/session-credentials.ts'
import { AccountDirectory } from './account-directory.ts'
import type { Act } from './acts.ts'

/** The field of every form of the administration. The use case judges what a reason is. */
export interface Reason {
  readonly reason: string
}

export const reasonSchema: z.ZodType<Reason> = z.object({ reason: z.string() })

/** The messages of an act. */
export interface ActWords {
  /** Title of its page, which names it at the step-up, too. */
  readonly title: string
  readonly lead: string
  /** Its button. */
  readonly submit: string
  /** What the next page says. */
  readonly done: string
  /** Whether somebody loses something by it. Default: false. */
  readonly isDangerous?: boolean
}

/** A line of what an act is done to. */
export interface Fact {
  /** Message. */
  readonly label: string
  readonly value: string
}

/** What the page of an act shows. */
export interface ShownAct {
  readonly words: ActWords
  readonly facts: readonly Fact[]
  /** Where cancelling, and success, lead to. */
  readonly back: string
  /** Beside the lead. Default: nothing. */
  readonly warning?: PageMessage
}

/** Base of the pages on which something is administered: each asks for a reason, and posts to its own address. */
export abstract class ActController extends PageController {
  readonly #directory = inject(AccountDirectory)

  /** @throws {NotFoundException} If there is no such account. */
  protected async actOn(id: string, words: ActWords, facts: readonly Fact[] = []): Promise<ShownAct> {
    const account = await this.#directory.find(id)
    if (account === undefined) throw new NotFoundException('There is no such account')
    const back = this.context.url('admin:account', { id })
    return { words, facts: [...factsOf(account), ...facts], back }
  }

  /** @returns The page that asks why. */
  protected actPage(shown: ShownAct, form: ShownForm = blankForm(), status = 200): View {
    const { words, facts, back, warning } = shown
    const page = {
      title: words.title,
      page: 'admin',
      narrow: true,
      action: this.context.path(),
      words,
      facts,
      back,
      warning,
    }
    return this.page('administration::act', page, { form, status })
  }

  /**
   * Does it. A rule that refuses is shown on the page, also to those who hold the permission.
   *
   * @param run Calls the use case; a string that it returns is the message for the next page, if that is another one than usual.
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
      return await this.redirectSaying(shown.back, text)
    } catch (error) {
      if (!(error instanceof ValidationException)) throw error
      return this.actPage(shown, form.refuse(...error.violations), 422)
    }
  }

  async #act(reason: string): Promise<Act> {
    const { context } = this
    const { id } = this.account()
    // A session without a version is none of a signed-in user; 0 is the version of no account.
    const credentialVersion = (await keptCredentialVersion(context.session())) ?? 0
    return { by: { kind: 'account', id, ...clientOf(context), credentialVersion }, reason }
  }
}

/** @returns Whose account it is. */
export function factsOf({ name, email }: { readonly name: string; readonly email: string }): readonly Fact[] {
  return [
    { label: 'account.name', value: name },
    { label: 'sign-in.email', value: email },
  ]
}
