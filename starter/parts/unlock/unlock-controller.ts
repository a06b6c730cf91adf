import { inject } from 'sallyport'
import { type Actions, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { readPendingLogin } from '../../core/challenges/pending-login.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { UnlockLinks } from './unlock-links.ts'
import { unlockBrowser } from './unlocked-browser.ts'

/** The link of a mail about a locked factor. It unlocks the browser in which it is confirmed, and signs nobody in. */
export class UnlockController extends PageController {
  static readonly actions: Actions<UnlockController> = {
    index: [param.string('token')],
    indexPost: [param.string('token')],
  }

  readonly #links = inject(UnlockLinks)

  /**
   * Uses nothing up: programs that check mails open links, too.
   *
   * @returns The page that says what the button does.
   */
  async index(token: string): Promise<View> {
    if (!(await this.#links.isOpen(token)))
      return this.outdated('unlock::outdated', 'unlock', 'unlock.outdated.title')
    return this.page('unlock::start', { title: 'unlock.title', page: 'unlock', narrow: true, token })
  }

  /**
   * Lets this browser go on. The session gets a new identifier, so that nobody who knew the old one goes on with it.
   *
   * @returns A redirect to the page that asks for the code; to the login page when the password is still to be proven.
   */
  async indexPost(token: string): Promise<View | Response> {
    const { context } = this
    const session = context.session()
    const unlocked = await this.#links.unlock(token, clientOf(context))
    if (unlocked === undefined) return this.outdated('unlock::outdated', 'unlock', 'unlock.outdated.title')
    await session.regenerateId()
    await unlockBrowser(session, unlocked, this.clock)
    await context.flash().add('notice', 'unlock.done')
    if (context.auth().isAuthenticated()) return this.redirectToRoute('security:home')
    const isPending = (await readPendingLogin(session, this.clock)) !== undefined
    return this.redirectToRoute(isPending ? 'account:challenge' : 'account:login')
  }
}
