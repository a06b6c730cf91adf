import { type HttpContext, inject } from 'sallyport'
import { LocalTarget } from 'sallyport/http'
import { type Route, Router } from 'sallyport/routing'

/** Session key of the page that a login returns to. It is application state and never part of `_2fa`. */
export const RETURN_URL_KEY = 'return_url'

/** The page after a login when no other page was requested. */
export const DEFAULT_RETURN_ROUTE = 'account:home'

/**
 * The pages that a login may return to: those whose route has a guard that requires a login. A guard says so with
 * `static readonly requiresLogin = true`, and there is no list of pages. Everything else is refused: pages that anybody may
 * open, addresses that are redirected or answered by no route, and whatever a browser could read as another site.
 */
export class ReturnTargets {
  readonly #router = inject(Router)

  /** @returns The path and query if a login may return to it; otherwise undefined. */
  async allowed(value: unknown): Promise<string | undefined> {
    const target = LocalTarget.parse(value)?.value
    if (target === undefined) return undefined
    const [path = ''] = target.split('?', 1)
    const match = await this.#router.resolve('GET', path)
    return match.kind === 'found' && requiresLogin(match.route) ? target : undefined
  }

  /** @returns Whether a page can be opened there. */
  async isPage(path: string): Promise<boolean> {
    return (await this.#router.resolve('GET', path)).kind === 'found'
  }

  /** @returns Address of the login page, which returns to the page of the request. For a form that is the page of its address. */
  async loginUrl(context: HttpContext): Promise<string> {
    const isRead = context.method() === 'GET' || context.method() === 'HEAD'
    const query = isRead && context.query() !== '' ? `?${context.query()}` : ''
    const target = await this.allowed(context.path() + query)
    if (target === undefined || target === context.url(DEFAULT_RETURN_ROUTE))
      return context.url('account:login')
    return context.url('account:login', { return_url: target })
  }

  /** Stores a return target during the second step. A refused target is ignored, and the target of an earlier login is removed. */
  async remember(context: HttpContext, value: unknown): Promise<void> {
    const target = await this.allowed(value)
    if (target === undefined) await context.session().remove(RETURN_URL_KEY)
    else await context.session().set(RETURN_URL_KEY, target)
  }

  /** @returns Path of the stored page, otherwise of the default page. */
  async take(context: HttpContext): Promise<string> {
    const target = await this.allowed(await context.session().get(RETURN_URL_KEY))
    await context.session().remove(RETURN_URL_KEY)
    return target ?? context.url(DEFAULT_RETURN_ROUTE)
  }
}

/** @returns Whether a guard that requires a login stands before it. */
export function requiresLogin({ middlewares }: Pick<Route, 'middlewares'>): boolean {
  return middlewares.some((guard) => Reflect.get(guard, 'requiresLogin') === true)
}
