import type { HttpContext } from '../context/index.ts'
import { type Middleware, type Next, NotFoundException } from '../http/index.ts'

/**
 * For an application with its own `/{locale}/…` paths: takes the locale of the request from the placeholder
 * `locale` of the route.
 *
 * @see Clauses LOC-19 to LOC-23.
 */
export class RouteLocale implements Middleware {
  /**
   * @param context Context of the request, routed.
   * @param next Goes on.
   * @returns What stands behind.
   * @throws {NotFoundException} If the value is no declared locale.
   * @throws {Error} If the route has no placeholder `locale` or a locale of its own: a programming error.
   */
  process(context: HttpContext, next: Next): Promise<Response> {
    const route = context.route()
    const value = route.argument('locale')
    if (typeof value !== 'string')
      throw new Error(`Cannot take the locale from the route of ${route.action}: it has no text {locale}`)
    if (route.locale !== null && route.locale !== value) {
      throw new Error(`Cannot take the locale from {locale}: the route declares "${route.locale}" itself`)
    }
    const locale = context.declaredLocale(value)
    if (locale === undefined) throw new NotFoundException()
    context.useLocale(locale)
    return next()
  }
}
