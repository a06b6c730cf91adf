import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { type OpenSession, OpenSessions, readSessionDetails } from 'sallyport-app/sessions'
import { deviceMessage, placeMessage } from '../../core/clients/client-messages.ts'
import { SessionEnds } from './session-ends.ts'
import { signOut } from '../../core/login/sign-out.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { TurnedAway } from '../../core/sessions/turned-away.ts'
import type { Moment, PageMessage } from 'sallyport-app/pages'
import { TIMES } from '../../core/messages/language.ts'

// More than this is no list to read; all of them can be ended at once.
const SHOWN_SESSIONS = 50

/** The session to end. */
interface Chosen {
  readonly handle: string
}

const chosenSchema: z.ZodType<Chosen> = z.object({ handle: z.string().min(1) })

/** Where a user is signed in, and how to end that elsewhere. */
export class SessionsController extends PageController {
  static readonly actions: Actions<SessionsController> = {
    index: [],
    list: [],
    endPost: [form(chosenSchema)],
    othersPost: [],
    all: [],
    allPost: [],
  }

  readonly #sessions = inject(SessionEnds)
  readonly #open = inject(OpenSessions)
  readonly #authentication = inject(SessionAuthentication)

  /** @returns The sessions of the account. */
  async index(): Promise<View> {
    const sessions = await this.#open.list(this.context.session(), this.owner().accountId)
    const locale = this.context.locale()
    return this.page('sessions::home', {
      title: 'sessions.title',
      page: 'sessions',
      sessions: sessions.slice(0, SHOWN_SESSIONS).map((session) => toLine(session, locale)),
      others: sessions.length - 1,
      hidden: Math.max(0, sessions.length - SHOWN_SESSIONS),
    })
  }

  /** @returns A redirect to the list, for a user who has confirmed that a session shall end: nothing happens by itself. */
  list(): Response {
    return this.redirectToRoute('sessions:home')
  }

  /**
   * Ends one session of the account.
   *
   * @returns A redirect to the list.
   */
  async endPost(form: Submitted<Chosen>): Promise<Response> {
    const { context } = this
    const hasEnded = form.ok && (await this.#sessions.end(context.session(), this.owner(), form.value.handle))
    if (hasEnded === undefined) return this.#turnBack()
    if (!hasEnded) return this.turnAway(TurnedAway.notThere, 'sessions:home')
    return this.#saying('sessions.ended')
  }

  /** @returns A redirect to the list, after every session but this one was ended. */
  async othersPost(): Promise<Response> {
    if (!(await this.#sessions.endOthers(this.context.session(), this.owner()))) return this.#turnBack()
    return this.#saying('sessions.others-ended')
  }

  /** @returns The page that says what will end with all sessions, that of the request included. */
  all(): View {
    return this.page('sessions::all', { title: 'sessions.all.title', page: 'sessions', narrow: true })
  }

  /** @returns A redirect to the login page, after all sessions and every login that is under way have ended. */
  async allPost(): Promise<Response> {
    const { context } = this
    await this.#sessions.endAll(context.session(), this.owner())
    // The session has ended; this request must not go on as somebody either.
    await signOut(context, this.#authentication)
    return this.redirectSaying(context.url('account:login'), 'sessions.all.ended')
  }

  // Another session has ended this one at the same moment.
  #turnBack(): never {
    return this.turnAway(TurnedAway.outOfDate, 'account:login')
  }

  async #saying(notice: string): Promise<Response> {
    return this.redirectSaying(this.context.url('sessions:home'), notice)
  }
}

/** A line of the list. */
interface SessionLine {
  readonly handle: string
  readonly isCurrent: boolean
  readonly device: PageMessage
  readonly place: PageMessage
  readonly proven: readonly PageMessage[]
  readonly started: Moment
  readonly used: Moment
}

function toLine(session: OpenSession, locale: string): SessionLine {
  const { handle, isCurrent, startedAt, lastUsedAt } = session
  const { device, place, proven } = readSessionDetails(session.details)
  const momentOf = (date: Date): Moment => TIMES.moment(Math.floor(date.getTime() / 1000), locale)
  return {
    handle,
    isCurrent,
    device: deviceMessage(device),
    place: placeMessage(place),
    proven: proven.map((kind) => ({ id: `sessions.proven.${kind}` })),
    started: momentOf(startedAt),
    used: momentOf(lastUsedAt),
  }
}
