import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { type Actions, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { Objections } from './objections.ts'
import { signOutOf } from '../../core/login/sign-out.ts'
import { PageController } from '../../core/pages/page-controller.ts'

/** The link "this was not me" of a mail. */
export class ObjectionController extends PageController {
  static readonly actions: Actions<ObjectionController> = {
    index: [param.string('token')],
    indexPost: [param.string('token')],
  }

  readonly #objections = inject(Objections)
  readonly #sessions = inject(SessionAuthentication)

  /**
   * Uses nothing up: programs that check mails open links, too.
   *
   * @returns The page that says what the button does.
   */
  async index(token: string): Promise<View> {
    if (!(await this.#objections.isOpen(token))) return this.outdatedLink('objection', OUTDATED)
    return this.page('objection::start', { title: 'not-me.title', page: 'objection', narrow: true, token })
  }

  /**
   * Ends every session of the account. Nobody is signed in, and no factor is changed.
   *
   * @returns A redirect to the page that asks for a new password.
   */
  async indexPost(token: string): Promise<View | Response> {
    const { context } = this
    const accountId = await this.#objections.object(token, clientOf(context), context.session())
    if (accountId === undefined) return this.outdatedLink('objection', OUTDATED)
    await signOutOf(accountId, context, this.#sessions)
    return this.redirectSaying(context.url('reset:start'), 'not-me.done')
  }
}

const OUTDATED = { title: 'not-me.outdated.title', lead: 'not-me.outdated.text' }
