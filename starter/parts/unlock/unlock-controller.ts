import { inject } from 'sallyport'
import { type Actions, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { readPendingLogin } from '../../core/challenges/pending-login.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { UnlockLinks } from './unlock-links.ts'

/** The link of a mail about a locked factor. It unlocks the browser in which it is confirmed, and signs nobody in. */
export class UnlockController extends PageController {
  static readonly actions: Actions<UnlockController> = {
    index: [param.string('token')],
    indexPost: [param.string('token')],
  }

  readonly #links = inject(UnlockLinks)

  /** The page that says what the button does. It uses nothing up: programs that check mails open links, too. */
  async index(token: string): Promise<View> {
    if (!(await this.#links.isOpen(token))) return this.#outdated()
    return this.page('unlock::start', { title: 'unlock.title', page: 'unlock', narrow: true, token })
  }

  /** Lets this browser go on: where a code is asked for, or at the password when that is still to be proven. */
  async indexPost(token: string): Promise<View | Response> {
    const { context } = this
    const session = context.session()
    if (!(await this.#links.unlock(token, session, clientOf(context)))) return this.#outdated()
    await context.flash().add('notice', 'unlock.done')
    if (context.auth().isAuthenticated()) return this.redirectToRoute('security:home')
    const isPending = (await readPendingLogin(session, this.clock)) !== undefined
    return this.redirectToRoute(isPending ? 'account:challenge' : 'account:login')
  }

  #outdated(): View {
    return this.outdatedLink('unlock', { lead: 'unlock.outdated.text' })
  }
}
