import { declarationError, discardPromise, isPromiseLike, sentence, shown } from '../../core/internal.ts'
import type { ControllerClass } from '../declaration/controller-class.ts'
import { BoundRoute, ResolvedRoute, Route, type RouteTarget } from '../route.ts'
import { RoutingException } from '../routing-exception.ts'

/** A resolver answers with what is no route of its request, or asks for a route in a way that cannot be. */
export class ResolverFault extends TypeError {}

/** What a resolver works for: a module that gives the targets of its actions. */
export interface TargetOwner {
  /** Name of the module. */
  readonly name: string
  /** Gives the target of an action, the same object each time; throws when the controller has no such action. */
  readonly target: (controller: ControllerClass, method: string) => RouteTarget
  /** Gives a locale as it was declared; the default one for a locale that was not. */
  readonly spellLocale: (tag: string) => string
}

/** What is refined about a route that a resolver makes. */
export interface RouteOptions {
  /** Arguments of the action, in order. Default: none. */
  readonly args?: readonly unknown[]
  /** Objects for the controller, which asks for them with `inject(binding(name))`. Default: none. */
  readonly bindings?: Readonly<Record<string, object>>
  /** The locale that the route imposes, in any letter case; one that is not declared gives the default. Default: the one of the URL. */
  readonly locale?: string
}

const OPTIONS = ['args', 'bindings', 'locale']

/** What a resolver is asked for: the part of a URL behind the entry point of its module. */
export class RouteRequest {
  /** The segments behind the entry point, decoded. */
  readonly segments: readonly string[]
  /** The part of the path before them, in its canonical spelling: `/fr/boutique`; empty at the root. */
  readonly prefix: string
  /** Name of the module. */
  readonly module: string
  /** The locale that the URL is in, or null. */
  readonly locale: string | null
  /** The HTTP method. */
  readonly method: string
  readonly #owner: TargetOwner
  // Most requests that a resolver sees are not for it.
  #made: Route[] | null = null

  /**
   * @param owner The module.
   * @param parts What the request asks for.
   */
  constructor(owner: TargetOwner, parts: Pick<RouteRequest, 'segments' | 'prefix' | 'locale' | 'method'>) {
    this.segments = parts.segments
    this.prefix = parts.prefix
    this.module = owner.name
    this.locale = parts.locale
    this.method = parts.method
    this.#owner = owner
  }

  /**
   * Makes the route to an action.
   *
   * @param controller A controller.
   * @param action Name of one of its actions.
   * @param options Arguments, objects for the controller, an imposed locale. Default: none.
   * @returns The route.
   * @throws {RoutingException} `invalid-action` if the controller has no such action, `invalid-parameter` if the
   * number of arguments does not fit it.
   * @throws {TypeError} If the options are no object or have another name, the arguments are no list, a binding is no object
   * or a promise, or the locale is no string; or if it is called on a copy of the request.
   */
  route(controller: ControllerClass, action: string, options: RouteOptions = {}): Route {
    if (!RouteRequest.#isRequest(this)) {
      const mend = sentence`call route() on the request that resolve() received`
      throw wrong(sentence`Cannot route with a copy of a request, or a proxy of one: ${mend}`)
    }
    const target = this.#owner.target(controller, action)
    assertRouteOptions(options)
    const { args = [], bindings } = options
    const locale = options.locale === undefined ? this.locale : this.#owner.spellLocale(options.locale)
    const { label, required, maximum } = target.action
    if (args.length < required || args.length > maximum) {
      const message = sentence`Cannot route to ${label} with ${args.length} arguments in module "${this.module}": it takes ${required} to ${maximum}`
      throw new RoutingException('invalid-parameter', message)
    }
    const chosen = new Route(target, target.action.padded([...args]), locale)
    const plain = new ResolvedRoute(chosen, this.prefix)
    const route = bindings === undefined ? plain : new BoundRoute(plain, bindings)
    this.#made ??= []
    this.#made.push(route)
    return route
  }

  // A copy has no methods, and a proxy no owner.
  static #isRequest(given: unknown): boolean {
    return typeof given === 'object' && given !== null && #owner in given
  }

  /**
   * @param route A route.
   * @returns Whether `route()` of this request made it: one of another has that one's arguments, locale and objects.
   * @internal
   */
  hasMade(route: Route): boolean {
    return this.#made?.includes(route) === true
  }
}

// Every request that a resolver answers comes here.
function assertRouteOptions(options: RouteOptions): void {
  const given: unknown = options
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw wrong(sentence`Cannot route with ${shown(given)} as options: pass an object such as { args: [42] }`)
  for (const name in options)
    if (!OPTIONS.includes(name))
      throw wrong(
        sentence`Cannot route with the option ${shown(name)}: the options are args, bindings and locale`,
      )
  const { args, bindings, locale } = options
  if (args !== undefined && !Array.isArray(args))
    throw wrong(sentence`Cannot route with ${shown(args)} as args: pass a list`)
  if (bindings !== undefined) assertBindings(bindings)
  if (locale !== undefined && typeof locale !== 'string')
    throw wrong(sentence`Cannot route with ${shown(locale)} as the locale: pass a language tag`)
}

// The controller would work with what is no object only when it runs, far from here.
function assertBindings(bindings: unknown): void {
  // Of what is refused nobody waits for a promise, and its rejection would end the process.
  discardPromise(bindings)
  if (typeof bindings !== 'object' || bindings === null || Array.isArray(bindings) || isPromiseLike(bindings))
    throw wrong(sentence`Cannot route with ${shown(bindings)} as bindings: pass an object such as { page }`)
  const entries = Object.entries(bindings)
  for (const [, value] of entries) discardPromise(value)
  for (const [name, value] of entries) {
    if (isPromiseLike(value))
      throw wrong(sentence`Cannot route with a promise as the binding ${shown(name)}: await it in resolve()`)
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null)
      throw wrong(
        sentence`Cannot route with ${shown(value)} as the binding ${shown(name)}: it must be an object`,
      )
  }
}

function wrong(message: string): Error {
  return declarationError(message, ResolverFault)
}
