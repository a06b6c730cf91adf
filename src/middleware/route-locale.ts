import type { HttpContext } from '../context/index.ts'
import { type Middleware, type Next, NotFoundException } from '../http/index.ts'

/**
 * For an application with its own `/{locale}/…` paths: sets the locale of the request to the value of the route's placeholder
 * `locale`.
 *
 * @see Clauses LOC-19 to LOC-23.
 */
export class RouteLocale implements Middleware {
  /**
   * @param context Context of the request, routed.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {NotFoundException} If the value is not a declared locale, or differs from the locale of the path.
   * @throws {Error} If the action of the route has no parameter `locale`: a programming error.
   */
  process(context: HttpContext, next: Next): Promise<Response> {
    const route = context.route()
    const { action } = route.target
    if (!action.parameters.some(({ name }) => name === 'locale'))
      throw new Error(`Cannot take the locale from the route of ${action.label}: it has no {locale}`)
    const value = route.argument('locale')
    // An optional placeholder may be missing: the URL then names no locale.
    if (value === undefined) return next()
    const locale = typeof value === 'string' ? context.declaredLocale(value) : undefined
    const imposed = route.locale === null ? locale : context.declaredLocale(route.locale)
    if (locale === undefined || locale !== imposed) throw new NotFoundException()
    context.useLocale(locale)
    return next()
  }
}
