import { type HttpContext, inject } from 'sallyport'
import { LocalTarget } from 'sallyport/http'
import { type Route, Router } from 'sallyport/routing'

// It is application state and never part of `_2fa`.
const SESSION_KEY = 'return_url'

/** Where a login begins and ends. */
export interface ReturnRoutes {
  /** Name of the route of the login page. It takes the page to return to as the field `return_url` of its query. */
  readonly login: string
  /** Name of the route after a login when no other page was requested. */
  readonly otherwise: string
}

/**
 * The pages that a login may return to: those whose route has a guard that requires a login. A guard says so with
 * `static readonly requiresLogin = true`, and there is no list of pages. Everything else is refused: pages that anybody may
 * open, addresses that are redirected or answered by no route, and whatever a browser could read as another site.
 */
export class ReturnTargets {
  readonly #router = inject(Router)
  readonly #routes: ReturnRoutes

  /** @param routes Where a login begins and ends. */
  constructor(routes: ReturnRoutes) {
    this.#routes = routes
  }

  /**
   * Checks a target.
   *
   * @param value What a client sent.
   * @returns The path and query if a login may return to it; otherwise undefined.
   */
  async allowed(value: unknown): Promise<string | undefined> {
    const target = LocalTarget.parse(value)?.value
    if (target === undefined) return undefined
    const [path = ''] = target.split('?', 1)
    const match = await this.#router.resolve('GET', path)
    return match.kind === 'found' && requiresLogin(match.route) ? target : undefined
  }

  /**
   * Looks for a page.
   *
   * @param path A path.
   * @returns Whether a page can be opened there.
   */
  async isPage(path: string): Promise<boolean> {
    return (await this.#router.resolve('GET', path)).kind === 'found'
  }

  /**
   * Leads to the login page.
   *
   * @param context The request.
   * @returns Address of the login page, which returns to the page of the request. For a form that is the page of its address.
   */
  async loginUrl(context: HttpContext): Promise<string> {
    const { login, otherwise } = this.#routes
    const target = await this.allowed(pageOf(context))
    if (target === undefined || target === context.url(otherwise)) return context.url(login)
    return context.url(login, { return_url: target })
  }

  /**
   * Stores a target in the session during the second step. A refused one is ignored, and that of an earlier login is removed.
   *
   * @param context The request.
   * @param value What a client sent.
   */
  async remember(context: HttpContext, value: unknown): Promise<void> {
    const target = await this.allowed(value)
    if (target === undefined) await context.session().remove(SESSION_KEY)
    else await context.session().set(SESSION_KEY, target)
  }

  /**
   * Takes the target out of the session.
   *
   * @param context The request.
   * @returns Path of the stored page, otherwise of the page that follows a login.
   */
  async take(context: HttpContext): Promise<string> {
    const target = await this.allowed(await context.session().get(SESSION_KEY))
    await context.session().remove(SESSION_KEY)
    return target ?? context.url(this.#routes.otherwise)
  }
}

/**
 * Names the page of a request. What a form sent in its query is none of its page, which is shown again.
 *
 * @param context The request.
 * @returns Path and query of the page; for a form the path alone.
 */
export function pageOf(context: HttpContext): string {
  const isRead = context.method() === 'GET' || context.method() === 'HEAD'
  const query = isRead ? context.query() : ''
  return query === '' ? context.path() : `${context.path()}?${query}`
}

/**
 * Says whether a guard that requires a login stands before a route.
 *
 * @param route The route.
 * @returns Whether one of its guards has `static readonly requiresLogin = true`.
 */
export function requiresLogin(route: Pick<Route, 'middlewares'>): boolean {
  return route.middlewares.some((guard) => Reflect.get(guard, 'requiresLogin') === true)
}
