import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { SessionEnds } from './session-ends.ts'
import { signOut } from '../../core/login/sign-out.ts'
import { PageController } from '../../core/pages/page-controller.ts'

/** The end of all sessions of an account, that of the request included. */
export class AllSessionsController extends PageController {
  static readonly actions: Actions<AllSessionsController> = { index: [], indexPost: [] }

  readonly #sessions = inject(SessionEnds)
  readonly #authentication = inject(SessionAuthentication)

  /** @returns The page that says what will end. */
  index(): View {
    return this.page('sessions::all', { title: 'sessions.all.title', page: 'sessions', narrow: true })
  }

  /**
   * Ends all sessions, and every login that is under way.
   *
   * @returns A redirect to the login page.
   */
  async indexPost(): Promise<Response> {
    const { context } = this
    await this.#sessions.endAll(context.session(), this.owner())
    // The session has ended; this request must not go on as somebody either.
    await signOut(context, this.#authentication)
    return this.redirectSaying(context.url('account:login'), 'sessions.all.ended')
  }
}
