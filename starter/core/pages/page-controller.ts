import { Clock, Controller, type FlashMessage, inject } from 'sallyport'
import { HttpException, prefersJson, TooManyRequestsException } from 'sallyport/http'
import { ShownForm, ValidationException } from 'sallyport/input'
import { Translator } from 'sallyport/i18n'
import type { View } from 'sallyport/view'
import { kindNamedBy } from '../messages/factor-names.ts'
import { type TurnedAway, TurnedAwayException } from '../sessions/turned-away.ts'
import { type PageMessage, toMinutes } from './presentation.ts'

/** What else the response of a page has. */
interface PageOptions {
  /** Status of the response. Default: 200. */
  readonly status?: number
  /** Headers of the response. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** What a program gets in place of a refused page. Default: what is wrong with the form, otherwise by the status. */
  readonly error?: Error | undefined
}

/** What a page says, beside what it is about. */
export interface PageState extends PageOptions {
  /** What concerns no field. Default: nothing. */
  readonly warning?: PageMessage
}

/** State of a page with a form. */
export interface FormPage extends PageState {
  readonly form: ShownForm
}

/** What a page says when a limit was reached. */
export interface LockedPage extends Required<Omit<PageOptions, 'error'>> {
  /** Why, and how long. */
  readonly warning: WaitMessage
}

/** A message about something that can be tried again later. */
export interface WaitMessage extends PageMessage {
  /** How long to wait. */
  readonly wait: PageMessage
}

/** @returns The message, for the template `parts/warning`. */
export function waitMessage(id: string, seconds: number): WaitMessage {
  const minutes = toMinutes(seconds)
  if (minutes < 60) return { id, wait: { id: 'wait.minutes', values: { minutes } } }
  return { id, wait: { id: 'wait.hours', values: { hours: Math.ceil(minutes / 60) } } }
}

/** Base of the controllers with pages. What programs get in place of pages is decided here and in `PageErrors`. */
export class PageController extends Controller {
  readonly #texts = inject(Translator)
  protected readonly clock: Clock = inject(Clock)

  /**
   * @param data Its data: `title` is the message of its title, `failed` whether the title says that something is wrong.
   * @returns The page, which knows where it is: the choice of a language returns to it.
   * @throws {HttpException} What is wrong, for a client that prefers JSON.
   */
  protected page(
    template: string,
    data: Readonly<Record<string, unknown>> & { readonly title: string },
    options: PageOptions = {},
  ): View {
    const { status = 200, headers = {} } = options
    if (status >= 400 && this.#prefersJson())
      throw options.error ?? this.#refusal(data, { ...options, status })
    return this.view(template, { here: this.context.path(), ...data }, { status, headers })
  }

  /** @returns A narrow page around a form, with what was wrong with it. */
  protected formPage(
    template: string,
    data: Readonly<Record<string, unknown>> & { readonly title: string },
    state: FormPage,
  ): View {
    const { form, warning, status = 200 } = state
    return this.page(template, { failed: status !== 200, narrow: true, form, warning, ...data }, state)
  }

  // The same in the format of programs: what is wrong with the form, or the title of the page.
  #refusal(
    { form, title }: Readonly<Record<string, unknown>>,
    { status, headers = {} }: PageOptions & { readonly status: number },
  ): HttpException {
    if (form instanceof ShownForm && form.violations.length > 0)
      return new ValidationException(form.violations)
    if (status === 429) return new TooManyRequestsException(Number(headers['retry-after']))
    const code = status === 410 ? 'ERR_APP_LINK_OUTDATED' : 'ERR_APP_REFUSED'
    return new HttpException(status, code, this.translate(String(title)))
  }

  /** A page of the sign-in, which programs go through, too: they get its name, the token for its form and some facts. */
  protected async pageOrState(
    page: string,
    facts: Readonly<Record<string, unknown>>,
    view: View,
  ): Promise<View | Response> {
    if (!this.#prefersJson()) return view
    return this.json({ page, csrf: await this.context.csrf().token(), ...facts })
  }

  #prefersJson(): boolean {
    return prefersJson(this.context.header('accept'))
  }

  /** @returns The page of a link that was used, or is too old. */
  protected outdated(template: string, page: string, title = 'confirm.outdated.title'): View {
    return this.page(template, { title, failed: true, page, narrow: true }, { status: 410 })
  }

  /**
   * Turns a request away that can do nothing as things stand.
   *
   * @param headers Headers for a program. Default: none.
   * @throws {TurnedAwayException} Always.
   */
  protected turnAway(why: TurnedAway, route: string, headers?: HttpException['headers']): never {
    throw new TurnedAwayException(why, this.context.url(route), headers)
  }

  /** Leads to a page that says something once. No other page does: if the redirect is not followed, the message is dropped. */
  protected async redirectSaying(path: string, { kind, text }: FlashMessage): Promise<Response> {
    await this.context.flash().add(kind, text, { path })
    return this.redirect(path)
  }

  /** @returns The message in the language of the request, for what is stored as its owner would have typed it. */
  protected translate(id: string, values: PageMessage['values'] = {}): string {
    return this.#texts.translate(this.context.locale(), { id, values })
  }

  /** @returns The name as a page shows it: one that only says what it is, in the language of the page. */
  protected shownLabel(label: string): string {
    const kind = kindNamedBy(label)
    return kind === undefined ? label : this.translate(kind)
  }

  /**
   * @returns What the page says when a limit was reached.
   * @throws {Error} Any other error.
   */
  protected locked(error: unknown, id: string): LockedPage {
    if (!(error instanceof TooManyRequestsException)) throw error
    const { headers } = error
    return { warning: waitMessage(id, Number(headers['retry-after'])), status: 429, headers }
  }
}
