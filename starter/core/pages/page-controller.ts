import { Clock, Controller, inject } from 'sallyport'
import { HttpException, prefersJson, TooManyRequestsException } from 'sallyport/http'
import { type ShownForm, ValidationException } from 'sallyport/input'
import { Translator } from 'sallyport/i18n'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { Account } from '../accounts/account.ts'
import { kindNamedBy } from '../messages/factor-names.ts'
import type { SessionOwner } from '../sessions/open-sessions.ts'
import { type TurnedAway, TurnedAwayException } from '../sessions/turned-away.ts'
import { type PageMessage, toMinutes } from './presentation.ts'

/** What a page says beside what it is about, and what else its response has. */
export interface PageState {
  /** The form, with what was wrong with it. Default: the page has none. */
  readonly form?: ShownForm
  /** What concerns no field. Default: nothing. */
  readonly warning?: PageMessage
  /** Status of the response. Default: 200. */
  readonly status?: number
  /** Headers of the response. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** What a program gets in place of a refused page. Default: what is wrong with the form, otherwise by the status. */
  readonly error?: Error | undefined
}

/** State of a page with a form. */
export interface FormPage extends PageState {
  readonly form: ShownForm
}

/** @returns A message about something that can be tried again later, for the template `parts/warning`. */
export function waitMessage(id: string, seconds: number): PageMessage & { readonly wait: PageMessage } {
  const minutes = toMinutes(seconds)
  if (minutes < 60) return { id, wait: { id: 'wait.minutes', values: { minutes } } }
  return { id, wait: { id: 'wait.hours', values: { hours: Math.ceil(minutes / 60) } } }
}

/** Base of the controllers with pages. What programs get in place of pages is decided here and in `PageErrors`. */
export class PageController extends Controller {
  readonly #texts = inject(Translator)
  protected readonly clock: Clock = inject(Clock)

  /**
   * @param data `title`: message of its title; `narrow`: whether it is around a form.
   * @throws {HttpException} What is wrong, for a client that prefers JSON.
   */
  protected page(
    template: string,
    data: Readonly<Record<string, unknown>> & { readonly title: string },
    state: PageState = {},
  ): View {
    const { form, warning, status = 200, headers = {}, error } = state
    if (status >= 400 && this.#prefersJson()) throw error ?? this.#refusal(data.title, state)
    const shown = { here: this.context.path(), failed: status !== 200, warning, ...(form && { form }) }
    return this.view(template, { ...shown, ...data }, { status, headers })
  }

  // The same in the format of programs: what is wrong with the form, or the title of the page.
  #refusal(title: string, { form, status = 400, headers = {} }: PageState): HttpException {
    if (form !== undefined && form.violations.length > 0) return new ValidationException(form.violations)
    if (status === 429) return new TooManyRequestsException(Number(headers['retry-after']))
    const code = status === 410 ? 'ERR_APP_LINK_OUTDATED' : 'ERR_APP_REFUSED'
    return new HttpException(status, code, this.translate(title))
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

  /** @returns Who is signed in. */
  protected account(): Account {
    return this.context.auth().principalAs(Account)
  }

  /** @returns The same, and where the request comes from. */
  protected owner(): SessionOwner {
    return { accountId: this.account().id, ...clientOf(this.context) }
  }

  #prefersJson(): boolean {
    return prefersJson(this.context.header('accept'))
  }

  /** @returns The page of a link that was used, or is too old. */
  protected outdated(template: string, page: string, title = 'confirm.outdated.title'): View {
    return this.page(template, { title, page, narrow: true }, { status: 410 })
  }

  /** @returns The same, where another link is asked for at the route `start`: the message `lead` says why. */
  protected outdatedLink(
    page: string,
    link: { readonly lead: string; readonly start?: string; readonly title?: string },
  ): View {
    const { lead, start, title = 'confirm.outdated.title' } = link
    const url = start === undefined ? undefined : this.context.url(start)
    return this.page('parts/outdated', { title, page, narrow: true, lead, start: url }, { status: 410 })
  }

  /** @throws {TurnedAwayException} Always: the request can do nothing as things stand. `headers`: for a program. */
  protected turnAway(why: TurnedAway, route: string, headers?: HttpException['headers']): never {
    throw new TurnedAwayException(why, this.context.url(route), headers)
  }

  /** Leads to a page that says something once. No other page does: if the redirect is not followed, the message is dropped. */
  protected async redirectSaying(path: string, text: string): Promise<Response> {
    await this.context.flash().add('notice', text, { path })
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

  /** @returns What the page says when a limit was reached; any other error is thrown on. */
  protected locked(error: unknown, id: string): PageState {
    if (!(error instanceof TooManyRequestsException)) throw error
    const { headers } = error
    return { warning: waitMessage(id, Number(headers['retry-after'])), status: 429, headers }
  }
}
