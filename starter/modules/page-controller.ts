import { Clock, Controller, type FlashMessage, inject } from 'sallyport'
import { HttpException, prefersJson, TooManyRequestsException } from 'sallyport/http'
import { ShownForm, ValidationException } from 'sallyport/input'
import { Translator } from 'sallyport/i18n'
import { SessionPolicy } from 'sallyport/session'
import type { View } from 'sallyport/view'
import { doneAt, noteDone } from '../identity/sessions/done-note.ts'
import { endOfPage } from '../identity/sessions/page-end.ts'
import { kindNamedBy } from '../messages/factor-names.ts'
import { type Moment, type PageMessage, toMoment } from './presentation.ts'
import { type WaitMessage, waitMessage } from './told-wait.ts'
import { TurnedAway } from './turned-away.ts'

/** What else the response of a page has. */
interface PageOptions {
  /** Status of the response. Default: 200. */
  readonly status?: number
  /** Headers of the response. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What a page says, beside what it is about. */
export interface PageState extends PageOptions {
  /** What concerns no field. Default: nothing. */
  readonly warning?: PageMessage
}

/** State of a page with a form. */
export interface FormPage extends PageState {
  /** The form. */
  readonly form: ShownForm
}

/** What a page says when a limit was reached. */
export interface LockedPage {
  /** Why, and how long. */
  readonly warning: WaitMessage
  /** Status of the response. */
  readonly status: number
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>
}

/** Base of the controllers with pages. */
export class PageController extends Controller {
  readonly #texts = inject(Translator)
  readonly #time = inject(Clock)
  readonly #lifetimes = inject(SessionPolicy)

  /**
   * @param template Name of the template.
   * @param data Its data: `title` is the message of its title, `failed` whether the title says that something is wrong.
   * @param options Status and headers of the response.
   * @returns The page, which knows where it is: the choice of a language returns to it.
   * @throws {ValidationException} What is wrong with the form, for a client that prefers JSON.
   * @throws {HttpException} Any other refusal, for such a client.
   */
  protected page(
    template: string,
    data: Readonly<Record<string, unknown>> & { readonly title: string },
    options: PageOptions = {},
  ): View {
    const { status = 200 } = options
    if (status >= 400 && prefersJson(this.context.header('accept'))) throw this.#refusal(status, data)
    return this.view(template, { here: this.context.path(), ...data }, options)
  }

  // The same in the format of programs: what is wrong with the form, or the title of the page.
  #refusal(status: number, { form, title }: Readonly<Record<string, unknown>>): HttpException {
    if (form instanceof ShownForm && form.violations.length > 0)
      return new ValidationException(form.violations)
    const code = status === 410 ? 'ERR_STARTER_LINK_OUTDATED' : 'ERR_STARTER_REFUSED'
    return new HttpException(status, code, this.translate(String(title)))
  }

  /**
   * @param template Name of the template.
   * @param page Name of the page for the layout.
   * @param title Message of its title. Default: that of most links.
   * @returns The page of a link that was used, or is too old.
   */
  protected outdated(template: string, page: string, title = 'confirm.outdated.title'): View {
    return this.page(template, { title, failed: true, page, narrow: true }, { status: 410 })
  }

  /**
   * Answers a request that can do nothing as things stand.
   *
   * @param why Why.
   * @param route Route of the page where a browser goes on, which says why.
   * @returns The redirect.
   * @throws {HttpException} For a client that prefers JSON.
   */
  protected async turnAway(why: TurnedAway, route: string): Promise<Response> {
    this.tellProgram(why)
    if (why.text === undefined) return this.redirectToRoute(route)
    return this.redirectSaying(this.context.url(route), { kind: 'warning', text: why.text })
  }

  /**
   * Leads to a page that says something once. No other page does: if the redirect is not followed, the message is dropped.
   *
   * @param path Path of the page, which must not lead on to another one.
   * @param message Kind and identifier of the message.
   * @returns The redirect.
   */
  protected async redirectSaying(path: string, { kind, text }: FlashMessage): Promise<Response> {
    await this.context.flash().add(kind, text, { path })
    return this.redirect(path)
  }

  /**
   * @param route Route of the page that says what was done just now. It shows that with {@link donePage}.
   * @returns The redirect.
   */
  protected redirectDone(route: string): Response {
    noteDone(this.context, this.context.url(route), this.#time)
    return this.redirectToRoute(route)
  }

  /**
   * Says that something was done, to the browser that did it, for some minutes. To everyone who just opens the address it claims nothing.
   * Another browser may have done something else since: the page names what was done, and when, and says nothing of the present.
   *
   * @param begin Route of the page where that begins.
   * @param page Makes the page, with the time when it was done.
   * @returns The page; otherwise a redirect to where it begins.
   * @throws {HttpException} For a client that prefers JSON and has not done it.
   */
  protected donePage(begin: string, page: (doneAt: Moment) => View): View | Response {
    const at = doneAt(this.context, this.#time)
    if (at !== undefined) return page(toMoment(at, this.context.locale()))
    this.tellProgram(TurnedAway.notDone)
    return this.redirectToRoute(begin)
  }

  /**
   * As {@link donePage}, where what was done has ended every session: it claims nothing to somebody who has signed in again.
   *
   * @param begin Route of the page where that begins.
   * @param page Makes the page, with the time when it was done.
   * @returns The page; otherwise a redirect to where it begins.
   * @throws {HttpException} For a client that prefers JSON and has not done it.
   */
  protected endedPage(begin: string, page: (doneAt: Moment) => View): View | Response {
    if (!this.context.auth().isAuthenticated()) return this.donePage(begin, page)
    this.tellProgram(TurnedAway.notDone)
    return this.redirectToRoute(begin)
  }

  /**
   * @param why Why the request can do nothing.
   * @throws {HttpException} For a client that prefers JSON. Every other client goes on.
   */
  protected tellProgram({ status, code, detail }: TurnedAway): void {
    if (prefersJson(this.context.header('accept'))) throw new HttpException(status, code, detail)
  }

  /**
   * @param id Identifier of a message.
   * @param values Values of its placeholders. Default: none.
   * @returns The message in the language of the request, for what is stored as its owner would have typed it.
   */
  protected translate(id: string, values: PageMessage['values'] = {}): string {
    return this.#texts.translate(this.context.locale(), { id, values })
  }

  /**
   * @param label Name of an authenticator.
   * @returns The name as a page shows it: one that only says what it is, in the language of the page.
   */
  protected shownLabel(label: string): string {
    const kind = kindNamedBy(label)
    return kind === undefined ? label : this.translate(kind)
  }

  /**
   * Tells a wait: the one place that does, so that no page tells one that is longer than its own life.
   *
   * @param id Message that says why to wait.
   * @param seconds Seconds to wait.
   * @returns The message for the page.
   */
  protected async waitFor(id: string, seconds: number): Promise<WaitMessage> {
    const { context } = this
    const end = await endOfPage(context, this.#lifetimes, this.#time)
    return waitMessage(id, { seconds, now: this.#time.timestamp(), end, locale: context.locale() })
  }

  /**
   * @param error What a limited attempt threw.
   * @param id Message that says why to wait.
   * @returns What the page says when a limit was reached.
   * @throws {Error} Any other error, and every error for a client that prefers JSON.
   */
  protected async locked(error: unknown, id: string): Promise<LockedPage> {
    if (!(error instanceof TooManyRequestsException) || prefersJson(this.context.header('accept')))
      throw error
    const warning = await this.waitFor(id, Number(error.headers['retry-after']))
    return { warning, status: 429, headers: error.headers }
  }
}
