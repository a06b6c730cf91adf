import type { MiddlewareClass } from '../http/index.ts'
import type { StandardSchema } from '../input/index.ts'
import type { Action } from './declaration/action.ts'
import type { ControllerClass } from './declaration/controller-class.ts'
import type { DeclaredRoute } from './declaration/route-collector.ts'
import type { RouteLimits } from './declaration/route-limits.ts'
import type { UrlValue } from './generation/url-params.ts'

/** What a target is made of, beside its action. */
export type TargetParts = Pick<RouteTarget, 'module'> &
  Pick<DeclaredRoute, 'middlewares' | 'name' | 'where' | 'defaults' | 'priority'> & {
    /** Limits of its requests. Default: those of the application. */
    readonly limits?: RouteLimits
    /** Writes the pattern of its URLs in a locale. Default: none is known. */
    readonly pattern?: PatternText
  }

/** Writes the pattern of the URLs of a target in a locale, or in none. */
export type PatternText = (target: RouteTarget, locale: string | null) => string

export const NO_ARGUMENTS: readonly unknown[] = Object.freeze([])
const NO_BINDINGS: Readonly<Record<string, object>> = Object.freeze({})
/** Stands for everything below the URL that a resolver is asked for. */
export const UNKNOWN_PATTERN = '/*'
const NOTHING: Readonly<Record<string, never>> = Object.freeze({})

const unknownPattern: PatternText = () => UNKNOWN_PATTERN

/**
 * What a declaration leads to: the same object for every match of the same route table entry, conventional action or
 * action chosen by a resolver, for as long as the router lives.
 */
export class RouteTarget {
  readonly module: string
  readonly action: Action
  readonly middlewares: readonly MiddlewareClass[]
  readonly name: string | null
  readonly where: Readonly<Record<string, string>>
  readonly defaults: Readonly<Record<string, UrlValue>>
  readonly priority: number
  /** Largest body in bytes; null: that of the application. */
  readonly bodyBytes: number | null
  /** Milliseconds that a client has to send a body; null: as the adapter says. */
  readonly bodyMilliseconds: number | null
  readonly #pattern: PatternText
  // Few are asked for, and an empty map is large.
  #patterns: Map<string | null, string> | null = null
  #builder: unknown = null
  #built: unknown = null

  constructor(action: Action, parts: TargetParts) {
    this.action = action
    this.module = parts.module
    this.middlewares = parts.middlewares
    this.name = parts.name
    this.where = parts.where === null ? NOTHING : Object.freeze({ ...parts.where })
    this.defaults = parts.defaults === null ? NOTHING : Object.freeze({ ...parts.defaults })
    this.priority = parts.priority
    this.bodyBytes = parts.limits?.bodyBytes ?? null
    this.bodyMilliseconds = parts.limits?.bodyMilliseconds ?? null
    this.#pattern = parts.pattern ?? unknownPattern
    // Every match hands out the same target: nobody changes for all what is declared.
    Object.freeze(this)
  }

  /** The pattern of its URLs in a locale, written once for each. @internal */
  patternIn(locale: string | null): string {
    this.#patterns ??= new Map()
    let pattern = this.#patterns.get(locale)
    if (pattern === undefined) {
      pattern = this.#pattern(this, locale)
      this.#patterns.set(locale, pattern)
    }
    return pattern
  }

  /** What a dispatcher builds of the target once. Another builder gets its own. @internal */
  built<T>(build: (target: RouteTarget) => T): T {
    if (this.#builder !== build) {
      this.#built = build(this)
      this.#builder = build
    }
    return this.#built as T
  }
}

/** The action that a URL reaches, with its arguments. All of it is frozen: no middleware changes what the action gets. */
export class Route {
  readonly #target: RouteTarget
  readonly #args: readonly unknown[]
  readonly #locale: string | null

  /**
   * @param target What the declaration leads to.
   * @param args Arguments of the action; the list is frozen.
   * @param locale The imposed locale, or null.
   */
  constructor(target: RouteTarget, args: readonly unknown[], locale: string | null) {
    this.#target = target
    this.#args = Object.freeze(args)
    this.#locale = locale
  }

  /** What the declaration leads to; the same object for every match of it. @internal */
  get target(): RouteTarget {
    return this.#target
  }

  /** Arguments of the action, read from the URL, in the order of its parameters. */
  get args(): readonly unknown[] {
    return this.#args
  }

  /** The locale that a prefix, a path of one locale or a resolver imposed; null when none did. */
  get locale(): string | null {
    return this.#locale
  }

  /** A route is its own match, so that a lookup makes one object. */
  get kind(): 'found' {
    return 'found'
  }

  /** This route. */
  get route(): this {
    return this
  }

  /** Objects that a resolver hands to the controller, by name. */
  get bindings(): Readonly<Record<string, object>> {
    return NO_BINDINGS
  }

  /**
   * The pattern of the URL, as `sallyport routes` lists it: `/shop/product/{slug}`, with the mount and the locale. There
   * are as many as there are routes and locales, so it is a label for logs and metrics. What a resolver finds is everything
   * below the entry point of its module, `/pages/*`.
   */
  get pattern(): string {
    return this.#target.patternIn(this.#locale)
  }

  /** Name of the route, local to its module; null when it has none. */
  get name(): string | null {
    return this.#target.name
  }

  /** Name of the module that owns the URL. */
  get module(): string {
    return this.#target.module
  }

  /** The controller. */
  get controller(): ControllerClass {
    return this.#target.action.controller
  }

  /** Name of the method that is the action. */
  get action(): string {
    return this.#target.action.method
  }

  /** Middlewares in running order: module, groups, route; each once. */
  get middlewares(): readonly MiddlewareClass[] {
    return this.#target.middlewares
  }

  /** Constraints of the placeholders. */
  get where(): Readonly<Record<string, string>> {
    return this.#target.where
  }

  /** Values that fill placeholders when a URL is generated. */
  get defaults(): Readonly<Record<string, UrlValue>> {
    return this.#target.defaults
  }

  /** Priority of the route: higher is tried first. */
  get priority(): number {
    return this.#target.priority
  }

  /** The schema that judges query and body when the action takes them, else null. */
  get input(): StandardSchema | null {
    return this.#target.action.schema
  }

  /**
   * @param name Name of a parameter of the action.
   * @returns Its argument, a list for a variadic one; undefined when the action has no such parameter or it is missing.
   */
  argument(name: string): unknown {
    const { parameters } = this.#target.action
    const index = parameters.findIndex((parameter) => parameter.name === name)
    return parameters[index]?.role === 'rest' ? this.#args.slice(index) : this.#args[index]
  }
}

/** Whether anything is a route; a proxy of a route, or an object that inherits from one, is not. It never throws. */
export function isRoute(given: unknown): given is Route {
  try {
    // Reads a private member, which only one that was constructed has.
    return Reflect.get(Route.prototype, 'target', given) instanceof RouteTarget
  } catch {
    return false
  }
}

/** A route that a resolver chose: what it makes of the rest of the URL is its own matter. */
export class ResolvedRoute extends Route {
  readonly #prefix: string

  /**
   * @param route The route.
   * @param prefix The entry point of the module, without a slash at its end.
   */
  constructor(route: Route, prefix: string) {
    super(route.target, route.args, route.locale)
    this.#prefix = prefix
  }

  override get pattern(): string {
    return this.#prefix + UNKNOWN_PATTERN
  }
}

/** A route whose controller is given objects by the resolver that chose it. */
export class BoundRoute extends Route {
  readonly #route: Route
  readonly #bindings: Readonly<Record<string, object>>

  constructor(route: Route, bindings: Readonly<Record<string, object>>) {
    super(route.target, route.args, route.locale)
    this.#route = route
    this.#bindings = Object.freeze({ ...bindings })
  }

  override get pattern(): string {
    return this.#route.pattern
  }

  override get bindings(): Readonly<Record<string, object>> {
    return this.#bindings
  }
}

/**
 * What becomes of a request. The location of a redirect is a path without query, its status is always 308; `allowed`
 * is sorted and names HEAD beside GET; `badRequest` is a path that cannot be decoded.
 */
export type RouteMatch =
  | { readonly kind: 'found'; readonly route: Route }
  | { readonly kind: 'redirect'; readonly location: string }
  | Refusal
  | { readonly kind: 'notFound' }
  | { readonly kind: 'badRequest' }

/** The match of a URL that answers other methods only. */
export interface Refusal {
  readonly kind: 'methodNotAllowed'
  readonly allowed: readonly string[]
}

export const NOT_FOUND: RouteMatch = Object.freeze({ kind: 'notFound' })
export const BAD_REQUEST: RouteMatch = Object.freeze({ kind: 'badRequest' })

/** The match of a URL that answers these methods only. */
export function methodNotAllowed(methods: Iterable<string>): Refusal {
  return Object.freeze({ kind: 'methodNotAllowed', allowed: Object.freeze([...withHead(methods)].sort()) })
}

/** The methods that are answered of those that are declared: HEAD beside GET. */
export function withHead(methods: Iterable<string>): ReadonlySet<string> {
  const answered = new Set(methods)
  return answered.has('GET') ? answered.add('HEAD') : answered
}
