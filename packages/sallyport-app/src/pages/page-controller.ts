import { Clock, Controller, inject } from 'sallyport'
import { HttpException, prefersJson, TooManyRequestsException } from 'sallyport/http'
import { ValidationException } from 'sallyport/input'
import { Translator } from 'sallyport/i18n'
import type { View } from 'sallyport/view'
import type { PageData, PageMessage, PageState } from './page-state.ts'
import { type TurnedAway, TurnedAwayException } from './turned-away.ts'
import { waitMessage } from './wait-message.ts'

/** Base of the controllers with pages, which programs use, too: what a program gets in place of a page is decided here. */
export class PageController extends Controller {
  readonly #texts = inject(Translator)
  /** Says how late it is. */
  protected readonly clock: Clock = inject(Clock)

  /**
   * Shows a page. Its template gets, beside its data, the path as `here`, whether it was refused as `failed`, the warning and the form.
   *
   * @param template Name of its template.
   * @param data Its data.
   * @param state What else it says, and what else its response has. Default: nothing.
   * @returns The page.
   * @throws {HttpException} What is wrong, for a client that prefers JSON.
   */
  protected page(template: string, data: PageData, state: PageState = {}): View {
    const { form, warning, status = 200, headers = {}, error } = state
    if (status >= 400 && this.#prefersJson()) throw error ?? this.#refusal(data.title, state)
    const shown = { here: this.context.path(), failed: status !== 200, warning, ...(form && { form }) }
    return this.view(template, { ...shown, ...data }, { status, headers })
  }

  /**
   * Shows a page of the sign-in, which programs go through, too.
   *
   * @param page What a program calls it.
   * @param facts What a program is told beside that.
   * @param view The page.
   * @returns The page; for a program its name, the token for its form as `csrf`, and the facts.
   */
  protected async pageOrState(
    page: string,
    facts: Readonly<Record<string, unknown>>,
    view: View,
  ): Promise<View | Response> {
    if (!this.#prefersJson()) return view
    return this.json({ page, csrf: await this.context.csrf().token(), ...facts })
  }

  /**
   * Turns a request away that can do nothing as things stand.
   *
   * @param why What is in the way.
   * @param route Name of the route where a browser goes on.
   * @param headers Headers for a program. Default: none.
   * @throws {TurnedAwayException} Always.
   */
  protected turnAway(why: TurnedAway, route: string, headers?: HttpException['headers']): never {
    throw new TurnedAwayException(why, this.context.url(route), headers)
  }

  /**
   * Leads to a page that says something once. No other page does: if the redirect is not followed, the message is dropped.
   *
   * @param path The page.
   * @param text Message of what it says.
   * @returns The redirect.
   */
  protected async redirectSaying(path: string, text: string): Promise<Response> {
    await this.context.flash().add('notice', text, { path })
    return this.redirect(path)
  }

  /**
   * Says that a limit was reached.
   *
   * @param error What was caught; anything but a {@link TooManyRequestsException} is thrown on.
   * @param id Message of what cannot be done now.
   * @returns The state of the page, with the time to wait.
   * @throws {Error} The error, if it is another one.
   */
  protected locked(error: unknown, id: string): PageState {
    if (!(error instanceof TooManyRequestsException)) throw error
    const { headers } = error
    return { warning: waitMessage(id, Number(headers['retry-after'])), status: 429, headers }
  }

  /**
   * Translates, for what is stored as its owner would have typed it.
   *
   * @param id Identifier of the message.
   * @param values Values of its placeholders. Default: none.
   * @returns The message in the language of the request.
   */
  protected translate(id: string, values: PageMessage['values'] = {}): string {
    return this.#texts.translate(this.context.locale(), { id, values })
  }

  // The same in the format of programs: what is wrong with the form, or the title of the page.
  #refusal(title: string, { form, status = 400, headers = {} }: PageState): HttpException {
    if (form !== undefined && form.violations.length > 0) return new ValidationException(form.violations)
    if (status === 429) return new TooManyRequestsException(Number(headers['retry-after']))
    const code = status === 410 ? 'ERR_APP_LINK_OUTDATED' : 'ERR_APP_REFUSED'
    return new HttpException(status, code, this.translate(title))
  }

  #prefersJson(): boolean {
    return prefersJson(this.context.header('accept'))
  }
}
