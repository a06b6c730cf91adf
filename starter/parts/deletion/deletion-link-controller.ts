import { inject } from 'sallyport'
import { type Actions, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { AccountDeletion } from './account-deletion.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { TIMES } from '../../core/messages/language.ts'

/** The link of the mail about a deletion, for people who are signed out. */
export class DeletionLinkController extends PageController {
  static readonly actions: Actions<DeletionLinkController> = {
    stop: [param.string('token')],
    stopPost: [param.string('token')],
  }

  readonly #deletions = inject(AccountDeletion)

  /**
   * Uses nothing up: programs that check mails open links, too.
   *
   * @returns The page that says what the button does.
   */
  async stop(token: string): Promise<View> {
    const dueAt = await this.#deletions.stoppable(token)
    if (dueAt === undefined) return this.outdatedLink('deletion', OUTDATED)
    const due = TIMES.moment(dueAt, this.context.locale())
    const page = { title: 'deletion.stop.title', page: 'deletion', narrow: true, here: '' }
    return this.page('deletion::stop', { ...page, token, due })
  }

  /**
   * Keeps the account. Nobody is signed in.
   *
   * @returns A redirect to the login page; to the account page for a user who is signed in to another account.
   */
  async stopPost(token: string): Promise<View | Response> {
    const { context } = this
    const accountId = await this.#deletions.stop(token, clientOf(context))
    if (accountId === undefined) return this.outdatedLink('deletion', OUTDATED)
    const path = context.url(context.auth().isAuthenticated() ? 'account:home' : 'account:login')
    return this.redirectSaying(path, 'deletion.stopped')
  }
}

const OUTDATED = { lead: 'deletion.outdated.text' }
