import type { ErrorRenderer, Failure, HttpContext } from 'sallyport'
import { prefersJson } from 'sallyport/http'
import { View } from 'sallyport/view'
import { TurnedAwayException } from './turned-away.ts'

/** What error pages are made of. */
export interface ErrorPageOptions {
  /** Name of their template. */
  readonly template: string
  /** Name of the route of the login page. */
  readonly login: string
  /** Fields of forms that people type into and that are no secret: a page that refuses such a form shows them, to be copied. */
  readonly typed: readonly string[]
}

/** The way on from an error page. */
export interface WayOn {
  /** Where to try again; undefined for nowhere. */
  readonly again: string | undefined
  /** What stands in the place of the status in its messages. Default: as the error pages of the layout say. */
  readonly words?: string
}

/**
 * What a refused request gets: the one place that tells browsers from programs. A program gets problem details. A browser is led on where
 * that helps; a form that is out of date gets one page that says so, keeps what was typed and has one way on.
 */
export abstract class PageErrors implements ErrorRenderer {
  readonly #options: ErrorPageOptions

  /** @param options What error pages are made of. */
  constructor(options: ErrorPageOptions) {
    this.#options = options
  }

  /**
   * Answers a refused request.
   *
   * @param failure What is wrong.
   * @param context The request.
   * @returns The page; null for the page of all other errors, and for clients that prefer JSON.
   */
  async render(failure: Failure, context: HttpContext): Promise<Response | View | null> {
    if (prefersJson(context.header('accept'))) return null
    const { exception, code } = failure
    if (exception instanceof TurnedAwayException) return this.#turnAway(exception, failure, context)
    if (code !== 'ERR_CSRF_INVALID_TOKEN') return this.renderOther(failure, context)
    // A form of another site is not late.
    return isForeign(context) ? null : this.renderLate(failure, context)
  }

  /**
   * Answers a form that is out of date: its session has ended, or another one has begun.
   *
   * @param failure What is wrong.
   * @param context The request.
   * @returns What leads on.
   */
  protected abstract renderLate(failure: Failure, context: HttpContext): Promise<Response | View>

  /**
   * Answers what is refused otherwise.
   *
   * @param failure What is wrong.
   * @param context The request.
   * @returns The page; null for the page of all other errors.
   */
  protected abstract renderOther(failure: Failure, context: HttpContext): Promise<Response | View | null>

  /**
   * Makes an error page with what was typed, and a way on.
   *
   * @param failure What is wrong.
   * @param context The request.
   * @param on The way on.
   * @returns The page. Its template gets `error`, `again`, `words`, `typed`, and whether the way on is the login page as `signsIn`.
   */
  protected async errorPage(failure: Failure, context: HttpContext, { again, words }: WayOn): Promise<View> {
    const { template, login, typed: names } = this.#options
    const form = await context.form().catch(() => null)
    const typed = names.flatMap((name) => form?.text(name) ?? []).filter((text) => text !== '')
    const signsIn = again?.split('?', 1)[0] === context.url(login)
    return new View(template, { error: failure, again, words, typed, signsIn }, { status: failure.status })
  }

  async #turnAway(
    { path, text, status }: TurnedAwayException,
    failure: Failure,
    context: HttpContext,
  ): Promise<Response | View> {
    // What a form held is not lost with the session.
    if (status === 401 && isForm(context)) return this.errorPage(failure, context, { again: path })
    if (text !== undefined) await context.flash().add('warning', text, { path })
    return new Response(null, { status: status === 401 ? 302 : 303, headers: { location: path } })
  }
}

function isForm(context: HttpContext): boolean {
  return context.method() !== 'GET' && context.method() !== 'HEAD'
}

function isForeign(context: HttpContext): boolean {
  const site = context.header('sec-fetch-site')
  if (site !== null) return site === 'cross-site'
  const origin = context.header('origin')
  return origin !== null && origin !== context.origin()
}
