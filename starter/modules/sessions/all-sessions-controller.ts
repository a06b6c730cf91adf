import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { Account } from '../../identity/accounts/account.ts'
import { clientOf } from '../../identity/clients/client.ts'
import { OpenSessions } from '../../identity/sessions/open-sessions.ts'
import { signOut } from '../../identity/sessions/sign-out.ts'
import { PageController } from '../page-controller.ts'

/** The end of all sessions of an account, that of the request included. */
export class AllSessionsController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<AllSessionsController> = { index: [], indexPost: [], ended: [] }

  readonly #sessions = inject(OpenSessions)
  readonly #authentication = inject(SessionAuthentication)

  /**
   * @returns The page that says what will end.
   */
  index(): View {
    return this.page('sessions/all', { title: 'sessions.all.title', page: 'sessions', narrow: true })
  }

  /**
   * Ends all sessions, and every login that is under way.
   *
   * @returns A redirect to a page that needs no session.
   */
  async indexPost(): Promise<Response> {
    const { context } = this
    const accountId = context.auth().principalAs(Account).id
    await this.#sessions.endAll(context.session(), { accountId, ...clientOf(context) })
    // The session has ended; this request must not go on as somebody either.
    await signOut(context, this.#authentication)
    return this.redirectDone('sessions:ended')
  }

  /**
   * @returns The page behind it. It changes nothing and knows nobody. Whoever has not just done it is led on.
   */
  ended(): View | Response {
    return this.endedPage('sessions:home', (doneAt) =>
      this.page('sessions/ended', { title: 'sessions.all.ended', page: 'login', narrow: true, doneAt }),
    )
  }
}
