import { inject } from 'sallyport'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { deviceMessage, placeMessage } from '../../core/clients/client-messages.ts'
import { type OpenSession, SessionEnds } from './session-ends.ts'
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
  }

  readonly #sessions = inject(SessionEnds)

  /** @returns The sessions of the account. */
  async index(): Promise<View> {
    const sessions = await this.#sessions.list(this.context.session(), this.owner().accountId)
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
  const { handle, isCurrent, device, place, proven, startedAt, lastUsedAt } = session
  return {
    handle,
    isCurrent,
    device: deviceMessage(device),
    place: placeMessage(place),
    proven: proven.map((kind) => ({ id: `sessions.proven.${kind}` })),
    started: TIMES.moment(startedAt, locale),
    used: TIMES.moment(lastUsedAt, locale),
  }
}
