import { inject } from 'sallyport'
import { type Actions, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from '../../identity/clients/client.ts'
import { AccountDeletion, DELETION_DAYS } from '../../identity/deletion/account-deletion.ts'
import { Notices } from '../../identity/mail/notices.ts'
import { PageController } from '../page-controller.ts'
import { toMoment } from '../presentation.ts'

/** What follows the request to delete an account, for people who are signed out. */
export class DeletionLinkController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<DeletionLinkController> = {
    asked: [],
    stop: [param.string('token')],
    stopPost: [param.string('token')],
    stopped: [],
  }

  readonly #deletions = inject(AccountDeletion)
  readonly #notices = inject(Notices)

  /**
   * @returns The page that says what happens next. It knows nobody. Whoever has not just done it is led on.
   */
  asked(): View | Response {
    return this.endedPage('deletion:ask', (doneAt) =>
      this.#linkPage('deletion/asked', 'deletion.asked.title', { days: DELETION_DAYS, doneAt }),
    )
  }

  /**
   * Uses nothing up: programs that check mails open links, too.
   *
   * @param token Token of the link.
   * @returns The page that says what the button does.
   */
  async stop(token: string): Promise<View> {
    const dueAt = await this.#deletions.stoppable(token)
    if (dueAt === undefined) return this.outdated('deletion/outdated', 'deletion')
    const due = toMoment(dueAt, this.context.locale())
    return this.#linkPage('deletion/stop', 'deletion.stop.title', { token, due })
  }

  /**
   * Keeps the account. Nobody is signed in.
   *
   * @param token Token of the link.
   * @returns A redirect to the page that leads to the login.
   */
  async stopPost(token: string): Promise<View | Response> {
    const accountId = await this.#deletions.stop(token, clientOf(this.context))
    if (accountId === undefined) return this.outdated('deletion/outdated', 'deletion')
    await this.#notices.tell(accountId, 'deletion-stopped')
    return this.redirectDone('deletion:stopped')
  }

  /**
   * @returns The page behind it. It knows nobody. Whoever has not just done it is led on.
   */
  stopped(): View | Response {
    return this.donePage('account:login', (doneAt) =>
      this.#linkPage('deletion/stopped', 'deletion.stopped.title', { doneAt }),
    )
  }

  #linkPage(template: string, title: string, data: Readonly<Record<string, unknown>> = {}): View {
    return this.page(template, { title, page: 'deletion', narrow: true, here: '', ...data })
  }
}
