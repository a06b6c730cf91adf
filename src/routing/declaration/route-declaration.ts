import { declarationError, sentence, shown } from '../../core/internal.ts'
import type { MiddlewareClass } from '../../http/index.ts'
import type { UrlValue } from '../generation/url-params.ts'
import { readRouteLimits, type RouteLimits } from './route-limits.ts'
import { type DeclaredRoute, pathText, type RouteCollector } from './route-collector.ts'

/** A declared route, to be refined. */
export class RouteDeclaration {
  readonly #route: DeclaredRoute
  readonly #collector: RouteCollector

  /**
   * @param route What was declared.
   * @param collector What it was declared for.
   */
  constructor(route: DeclaredRoute, collector: RouteCollector) {
    this.#route = route
    this.#collector = collector
  }

  /**
   * Names the route, for URL generation.
   *
   * @param name Name, local to the module; from outside it is qualified by the module: `shop:product`.
   * @returns This, for chaining.
   * @throws {TypeError} If the name is no string, is empty, or holds a colon, a control character, a line end or half a character.
   * @throws {Error} If the routes have been read.
   */
  name(name: string): this {
    this.#assertOpen('name')
    if (typeof name !== 'string' || name === '' || /[:\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(name)) {
      const rule = sentence`a name is local to its module and must not contain a colon or a control character`
      throw declarationError(sentence`Cannot name a route ${shown(name)}: ${rule}`)
    }
    this.#route.name = name
    return this
  }

  /**
   * Constrains a placeholder. A value that does not match as a whole makes the route not match.
   *
   * @param param Name of the placeholder.
   * @param expression A regular expression without look-around and back-references; it is run in linear time.
   * @returns This, for chaining.
   * @throws {TypeError} If the placeholder is not named, or the expression is neither a string nor a RegExp, or carries
   * flags other than `u` and `v`.
   * @throws {Error} If the routes have been read.
   */
  where(param: string, expression: string | RegExp): this {
    this.#assertOpen('where')
    assertParam(param, 'constrain')
    const given: unknown = expression
    if (typeof given !== 'string' && !(given instanceof RegExp)) {
      const mend = sentence`pass a regular expression, as a string or a RegExp`
      throw declarationError(sentence`Cannot constrain "${param}" with ${shown(given)}: ${mend}`)
    }
    if (given instanceof RegExp && /[^uv]/.test(given.flags))
      throw declarationError(
        sentence`Cannot constrain "${param}" with ${String(given)}: flags are not supported`,
      )
    const source = typeof given === 'string' ? given : given.source
    this.#route.where = { ...this.#route.where, [param]: source }
    return this
  }

  /**
   * Adds middlewares inside those of the module and the groups.
   *
   * @param middlewares Middleware classes, outermost first.
   * @returns This, for chaining.
   * @throws {Error} If the routes have been read.
   */
  middleware(...middlewares: MiddlewareClass[]): this {
    this.#assertOpen('middleware')
    this.#route.middlewares = [...this.#route.middlewares, ...middlewares]
    return this
  }

  /**
   * Fills a placeholder that is missing when a URL is generated; it has no part in matching.
   *
   * @param param Name of the placeholder.
   * @param value The value.
   * @returns This, for chaining.
   * @throws {TypeError} If the placeholder is not named, or there is no value.
   * @throws {Error} If the routes have been read.
   */
  default(param: string, value: UrlValue): this {
    this.#assertOpen('default')
    assertParam(param, 'fill')
    if (value === undefined || value === null)
      throw declarationError(sentence`Cannot fill "${param}" with ${shown(value)}: pass a value`)
    this.#route.defaults = { ...this.#route.defaults, [param]: value }
    return this
  }

  /**
   * Settles which of several matching routes answers.
   *
   * @param priority Higher is tried first. Default: 0.
   * @returns This, for chaining.
   * @throws {RangeError} If it is no finite number.
   * @throws {Error} If the routes have been read.
   */
  priority(priority: number): this {
    this.#assertOpen('priority')
    if (!Number.isFinite(priority))
      throw declarationError(
        sentence`Cannot use ${shown(priority)} as the priority of a route: it must be a finite number`,
        RangeError,
      )
    this.#route.priority = priority
    return this
  }

  /**
   * Limits what is read of a request, in place of the limits of the groups around, the action, the module and the
   * application. A body over the limit is a 413: before it is read if its `Content-Length` says so.
   *
   * @param limits `bodyBytes`: largest body in bytes. `bodyMilliseconds`: time to send it.
   * @returns This, for chaining.
   * @throws {TypeError} If a limit is unknown.
   * @throws {RangeError} If it is no number above 0.
   * @throws {Error} If the routes have been read.
   */
  limits(limits: RouteLimits): this {
    this.#assertOpen('limits')
    this.#route.limits = { ...this.#route.limits, ...readRouteLimits(limits, 'limits() of a route') }
    return this
  }

  #assertOpen(what: string): void {
    if (!this.#collector.isRead) return
    const { methods, path } = this.#route
    this.#collector.assertUnread(`${what}() of ${methods.join('|')} ${pathText(path)}`)
  }
}

function assertParam(param: unknown, what: string): void {
  if (typeof param === 'string' && param !== '') return
  throw declarationError(
    sentence`Cannot ${what} the placeholder ${shown(param)}: name a placeholder of the path`,
  )
}
