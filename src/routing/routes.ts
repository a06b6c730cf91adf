import { assertCallback, assertNoPromise, callSite, declarationError, shown } from '../core/index.ts'
import type { MiddlewareClass } from '../http/index.ts'
import type { ControllerClass, Handler } from './controller-class.ts'
import type { UrlValue } from './url-params.ts'

/** A path for all locales, or one for each. */
export type LocalizedPath = string | Readonly<Record<string, string>>

/** What was declared of a route, before its table is compiled. */
export interface DeclaredRoute {
  readonly methods: readonly string[]
  readonly path: LocalizedPath
  readonly handler: Handler
  /** Middlewares of the groups around it, outermost first, then its own. */
  middlewares: readonly MiddlewareClass[]
  name: string | null
  where: Record<string, string> | null
  defaults: Record<string, UrlValue> | null
  priority: number
  /** Where it was declared, when somebody needs to know. */
  readonly source: string | undefined
}

/** Takes what the callbacks of a module declare. */
export interface RouteCollector {
  readonly declared: DeclaredRoute[]
  /** Whether to note the source of each declaration, which costs a stack each. */
  readonly traced: boolean
}

interface Scope {
  readonly prefix: string
  readonly middlewares: readonly MiddlewareClass[]
}

const OUTERMOST: Scope = { prefix: '', middlewares: [] }
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/
// No server and no fetch handler hands these to an application.
const UNREACHABLE: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK'])

/** Declares the routes of a module or claim. Paths are relative to the module's entry point or to the claim. */
export class Routes {
  readonly #collector: RouteCollector
  readonly #scope: Scope

  /**
   * @param collector Takes the declarations.
   * @param scope Prefix and middlewares of the groups around. Default: none.
   */
  constructor(collector: RouteCollector, scope: Scope = OUTERMOST) {
    this.#collector = collector
    this.#scope = scope
  }

  /**
   * Declares a route for GET, which answers HEAD too unless another route declares HEAD on the same path.
   *
   * @param path A path, or one for each locale; placeholders are written `{name}`.
   * @param handler `[Controller, 'action']`, an invokable `Controller`, or `'Controller::action'`.
   * @returns The declaration, to be refined.
   */
  get<C extends ControllerClass>(path: LocalizedPath, handler: Handler<C>): RouteDeclaration {
    return this.map(['GET'], path, handler)
  }

  /**
   * Declares a route for POST.
   *
   * @param path A path, or one for each locale; placeholders are written `{name}`.
   * @param handler `[Controller, 'action']`, an invokable `Controller`, or `'Controller::action'`.
   * @returns The declaration, to be refined.
   */
  post<C extends ControllerClass>(path: LocalizedPath, handler: Handler<C>): RouteDeclaration {
    return this.map(['POST'], path, handler)
  }

  /**
   * Declares a route for PUT.
   *
   * @param path A path, or one for each locale; placeholders are written `{name}`.
   * @param handler `[Controller, 'action']`, an invokable `Controller`, or `'Controller::action'`.
   * @returns The declaration, to be refined.
   */
  put<C extends ControllerClass>(path: LocalizedPath, handler: Handler<C>): RouteDeclaration {
    return this.map(['PUT'], path, handler)
  }

  /**
   * Declares a route for PATCH.
   *
   * @param path A path, or one for each locale; placeholders are written `{name}`.
   * @param handler `[Controller, 'action']`, an invokable `Controller`, or `'Controller::action'`.
   * @returns The declaration, to be refined.
   */
  patch<C extends ControllerClass>(path: LocalizedPath, handler: Handler<C>): RouteDeclaration {
    return this.map(['PATCH'], path, handler)
  }

  /**
   * Declares a route for DELETE.
   *
   * @param path A path, or one for each locale; placeholders are written `{name}`.
   * @param handler `[Controller, 'action']`, an invokable `Controller`, or `'Controller::action'`.
   * @returns The declaration, to be refined.
   */
  delete<C extends ControllerClass>(path: LocalizedPath, handler: Handler<C>): RouteDeclaration {
    return this.map(['DELETE'], path, handler)
  }

  /**
   * Declares a route for HEAD alone; it wins over the GET route of the same path.
   *
   * @param path A path, or one for each locale; placeholders are written `{name}`.
   * @param handler `[Controller, 'action']`, an invokable `Controller`, or `'Controller::action'`.
   * @returns The declaration, to be refined.
   */
  head<C extends ControllerClass>(path: LocalizedPath, handler: Handler<C>): RouteDeclaration {
    return this.map(['HEAD'], path, handler)
  }

  /**
   * Declares a route for OPTIONS, which nothing answers by itself.
   *
   * @param path A path, or one for each locale; placeholders are written `{name}`.
   * @param handler `[Controller, 'action']`, an invokable `Controller`, or `'Controller::action'`.
   * @returns The declaration, to be refined.
   */
  options<C extends ControllerClass>(path: LocalizedPath, handler: Handler<C>): RouteDeclaration {
    return this.map(['OPTIONS'], path, handler)
  }

  /**
   * Declares one route for several methods.
   *
   * @param methods HTTP methods, at least one.
   * @param path A path, or one for each locale; placeholders are written `{name}`.
   * @param handler `[Controller, 'action']`, an invokable `Controller`, or `'Controller::action'`.
   * @returns The declaration, to be refined.
   * @throws {TypeError} If no method is given, one that HTTP does not allow or that reaches no application, or a path
   * that is no string and no object of strings.
   */
  map<C extends ControllerClass>(
    methods: readonly string[],
    path: LocalizedPath,
    handler: Handler<C>,
  ): RouteDeclaration {
    assertPath(path)
    const route: DeclaredRoute = {
      methods: readMethods(methods),
      path: prefixed(this.#scope.prefix, path),
      handler: handler as Handler,
      middlewares: this.#scope.middlewares,
      name: null,
      where: null,
      defaults: null,
      priority: 0,
      source: this.#collector.traced ? callSite() : undefined,
    }
    this.#collector.declared.push(route)
    return new RouteDeclaration(route)
  }

  /**
   * Begins a group of routes that share a prefix.
   *
   * @param path A path before theirs; it may hold placeholders.
   * @returns The group, to be given middlewares and routes.
   * @throws {TypeError} If the path does not begin with `/`.
   */
  prefix(path: string): RouteGroup {
    return new RouteGroup(this.#collector, this.#scope).prefix(path)
  }

  /**
   * Begins a group of routes that share middlewares.
   *
   * @param middlewares Middlewares around the routes of the group, outermost first.
   * @returns The group, to be given a prefix and routes.
   */
  middleware(...middlewares: MiddlewareClass[]): RouteGroup {
    return new RouteGroup(this.#collector, this.#scope).middleware(...middlewares)
  }
}

/** A group of routes under construction. */
export class RouteGroup {
  readonly #collector: RouteCollector
  #scope: Scope

  /**
   * @param collector Takes the declarations.
   * @param scope Prefix and middlewares of the groups around.
   */
  constructor(collector: RouteCollector, scope: Scope) {
    this.#collector = collector
    this.#scope = scope
  }

  /**
   * @param path A path before those of the group's routes, behind the prefix that it has already.
   * @returns This, for chaining.
   * @throws {TypeError} If the path does not begin with `/`.
   */
  prefix(path: string): this {
    if (typeof path !== 'string' || !path.startsWith('/'))
      throw declarationError(`Cannot group routes under ${shown(path)}: give a path that begins with "/"`)
    const prefix = this.#scope.prefix + (path.endsWith('/') ? path.slice(0, -1) : path)
    this.#scope = { prefix, middlewares: this.#scope.middlewares }
    return this
  }

  /**
   * @param middlewares Middlewares around the routes of the group, inside those that it has already.
   * @returns This, for chaining.
   */
  middleware(...middlewares: MiddlewareClass[]): this {
    this.#scope = { prefix: this.#scope.prefix, middlewares: [...this.#scope.middlewares, ...middlewares] }
    return this
  }

  /**
   * @param declare Declares the routes of the group.
   * @throws {TypeError} If it is no function, an async one, or gives a promise.
   */
  group(declare: (routes: Routes) => void): void {
    const what = 'declare the routes of a group'
    assertCallback(declare, what)
    const result: unknown = declare(new Routes(this.#collector, this.#scope))
    assertNoPromise(result, what)
  }
}

/** A declared route, to be refined. */
export class RouteDeclaration {
  readonly #route: DeclaredRoute

  /**
   * @param route What was declared.
   */
  constructor(route: DeclaredRoute) {
    this.#route = route
  }

  /**
   * Names the route, for URL generation.
   *
   * @param name Name, local to the module; from outside it is qualified by the module: `shop:product`.
   * @returns This, for chaining.
   * @throws {TypeError} If the name is no string, is empty, or holds a colon, a control character, a line end or half a character.
   */
  name(name: string): this {
    if (typeof name !== 'string' || name === '' || /[:\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(name)) {
      const rule = 'a name is local to its module and holds no colon and no control character'
      throw declarationError(`Cannot name a route ${shown(name)}: ${rule}`)
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
   */
  where(param: string, expression: string | RegExp): this {
    assertParam(param, 'constrain')
    const given: unknown = expression
    if (typeof given !== 'string' && !(given instanceof RegExp)) {
      const mend = 'give a regular expression, as a string or a RegExp'
      throw declarationError(`Cannot constrain "${param}" by ${shown(given)}: ${mend}`)
    }
    if (given instanceof RegExp && /[^uv]/.test(given.flags))
      throw declarationError(`Cannot constrain "${param}" by ${String(given)}: flags are not supported`)
    const source = typeof given === 'string' ? given : given.source
    this.#route.where = { ...this.#route.where, [param]: source }
    return this
  }

  /**
   * Adds middlewares inside those of the module and the groups.
   *
   * @param middlewares Middleware classes, outermost first.
   * @returns This, for chaining.
   */
  middleware(...middlewares: MiddlewareClass[]): this {
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
   */
  default(param: string, value: UrlValue): this {
    assertParam(param, 'fill')
    if (value === undefined || value === null)
      throw declarationError(`Cannot fill "${param}" with ${shown(value)}: give a value`)
    this.#route.defaults = { ...this.#route.defaults, [param]: value }
    return this
  }

  /**
   * Settles which of several matching routes answers.
   *
   * @param priority Higher is tried first. Default: 0.
   * @returns This, for chaining.
   * @throws {RangeError} If it is no finite number.
   */
  priority(priority: number): this {
    if (!Number.isFinite(priority))
      throw declarationError(`Cannot give a route the priority ${shown(priority)}: give a number`, RangeError)
    this.#route.priority = priority
    return this
  }
}

// Nearly every route has one method, so there is one list for each.
const SINGLE = new Map(
  ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map((method) => [
    method,
    Object.freeze([method]),
  ]),
)

function readMethods(methods: readonly string[]): readonly string[] {
  const given: unknown = methods
  if (!Array.isArray(given))
    throw declarationError(
      `Cannot declare a route for ${shown(given)}: give a list of methods, such as ["GET"]`,
    )
  const [only] = methods
  const single = methods.length === 1 && only !== undefined ? SINGLE.get(only) : undefined
  if (single !== undefined) return single
  if (given.length === 0)
    throw declarationError('Cannot declare a route for no method: name at least one, such as ["GET"]')
  for (const method of given as unknown[]) {
    if (typeof method !== 'string' || !TOKEN.test(method))
      throw declarationError(`Cannot declare a route for the method ${shown(method)}: name HTTP methods`)
    if (UNREACHABLE.has(upper(method)))
      throw declarationError(
        `Cannot declare a route for the method ${shown(method)}: it reaches no application`,
      )
  }
  return Object.freeze([...new Set(methods.map(upper))])
}

function assertPath(path: unknown): void {
  const isMap = typeof path === 'object' && path !== null && !Array.isArray(path)
  const bad = (isMap ? Object.values(path) : [path]).filter((each) => typeof each !== 'string')
  if (bad.length === 0) return
  const mend = 'give a path such as "/shop", or an object with one for each locale'
  throw declarationError(`Cannot route ${shown(bad[0])}: ${mend}`)
}

function assertParam(param: unknown, what: string): void {
  if (typeof param === 'string' && param !== '') return
  throw declarationError(`Cannot ${what} the placeholder ${shown(param)}: name a placeholder of the path`)
}

function upper(method: string): string {
  return method.toUpperCase()
}

// A path that does not begin with a slash is left alone, so that it is refused when the table compiles.
function prefixed(prefix: string, path: LocalizedPath): LocalizedPath {
  if (prefix === '') return path
  const join = (variant: string): string =>
    variant === '' || variant.startsWith('/') ? prefix + variant : variant
  if (typeof path === 'string') return join(path)
  return Object.fromEntries(Object.entries(path).map(([locale, variant]) => [locale, join(variant)]))
}
