import { inject } from 'sallyport'
import { type Actions, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from '../../identity/clients/client.ts'
import { Objections } from '../../identity/sessions/objections.ts'
import { PageController } from '../page-controller.ts'

/** The link "this was not me" of a mail. */
export class ObjectionController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<ObjectionController> = {
    index: [param.string('token')],
    indexPost: [param.string('token')],
    done: [],
  }

  readonly #objections = inject(Objections)

  /**
   * Uses nothing up: programs that check mails open links, too.
   *
   * @param token Token of the link.
   * @returns The page that says what the button does.
   */
  async index(token: string): Promise<View> {
    if (!(await this.#objections.isOpen(token)))
      return this.outdated('objection/outdated', 'objection', 'not-me.outdated.title')
    return this.page('objection/start', { title: 'not-me.title', page: 'objection', narrow: true, token })
  }

  /**
   * Ends every session of the account. Nobody is signed in, and no factor is changed.
   *
   * @param token Token of the link.
   * @returns A redirect to the page that leads to a new password.
   */
  async indexPost(token: string): Promise<View | Response> {
    if (!(await this.#objections.object(token, clientOf(this.context))))
      return this.outdated('objection/outdated', 'objection', 'not-me.outdated.title')
    return this.redirectDone('objection:done')
  }

  /**
   * @returns The page behind it. It changes nothing and knows nobody. Whoever has not just done it is led on.
   */
  done(): View | Response {
    return this.donePage('account:login', (doneAt) =>
      this.page('objection/done', { title: 'not-me.done.title', page: 'objection', narrow: true, doneAt }),
    )
  }
}
