import {
  assertCallback,
  assertNoPromise,
  callSite,
  declarationError,
  inOneLine,
  lateDeclaration,
  sentence,
  shown,
} from '../../core/internal.ts'
import type { MiddlewareClass } from '../../http/index.ts'
import type { ControllerClass, Handler } from './controller-class.ts'
import { assertPath, prefixed, readMethods } from './route-arguments.ts'
import type { LocalizedPath, RouteCollector } from './route-collector.ts'
import { RouteDeclaration } from './route-declaration.ts'
import { readRouteLimits, type RouteLimits } from './route-limits.ts'

interface Scope {
  readonly prefix: string
  readonly middlewares: readonly MiddlewareClass[]
  readonly limits: RouteLimits
}

const OUTERMOST: Scope = { prefix: '', middlewares: [], limits: {} }

/**
 * Declares the routes of a module or claim. Paths are relative to the module's entry point or to the claim.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 * import { type Actions, param } from 'sallyport/routing'
 * import { TestClient } from 'sallyport/testing'
 *
 * class ProductController extends Controller {
 *   static readonly actions = {
 *     show: [param.string('slug')],
 *     rest: [],
 *   } satisfies Actions<ProductController>
 *
 *   show(slug: string) {
 *     return { slug }
 *   }
 *
 *   rest() {
 *     return null
 *   }
 * }
 * const shop = defineModule('Shop', (module) =>
 *   module.routes((routes) => {
 *     routes.get('/product/{slug}', [ProductController, 'show']).name('product').where('slug', '[a-z-]+')
 *     routes.prefix('/admin').group((admin) => {
 *       admin.delete('/product', [ProductController, 'rest'])
 *     })
 *   }),
 * )
 * const client = new TestClient(App.default().modules(shop))
 *
 * assert.deepEqual(await (await client.get('/shop/product/green-tea')).json(), { slug: 'green-tea' })
 * assert.equal((await client.get('/shop/product/GREEN')).status, 404)
 * assert.equal((await client.get('/shop/admin/product')).headers.get('allow'), 'DELETE')
 * ```
 */
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
    return this.#declare('get()', ['GET'], { path, handler })
  }

  /**
   * Declares a route for POST.
   *
   * @param path A path, or one for each locale; placeholders are written `{name}`.
   * @param handler `[Controller, 'action']`, an invokable `Controller`, or `'Controller::action'`.
   * @returns The declaration, to be refined.
   */
  post<C extends ControllerClass>(path: LocalizedPath, handler: Handler<C>): RouteDeclaration {
    return this.#declare('post()', ['POST'], { path, handler })
  }

  /**
   * Declares a route for PUT.
   *
   * @param path A path, or one for each locale; placeholders are written `{name}`.
   * @param handler `[Controller, 'action']`, an invokable `Controller`, or `'Controller::action'`.
   * @returns The declaration, to be refined.
   */
  put<C extends ControllerClass>(path: LocalizedPath, handler: Handler<C>): RouteDeclaration {
    return this.#declare('put()', ['PUT'], { path, handler })
  }

  /**
   * Declares a route for PATCH.
   *
   * @param path A path, or one for each locale; placeholders are written `{name}`.
   * @param handler `[Controller, 'action']`, an invokable `Controller`, or `'Controller::action'`.
   * @returns The declaration, to be refined.
   */
  patch<C extends ControllerClass>(path: LocalizedPath, handler: Handler<C>): RouteDeclaration {
    return this.#declare('patch()', ['PATCH'], { path, handler })
  }

  /**
   * Declares a route for DELETE.
   *
   * @param path A path, or one for each locale; placeholders are written `{name}`.
   * @param handler `[Controller, 'action']`, an invokable `Controller`, or `'Controller::action'`.
   * @returns The declaration, to be refined.
   */
  delete<C extends ControllerClass>(path: LocalizedPath, handler: Handler<C>): RouteDeclaration {
    return this.#declare('delete()', ['DELETE'], { path, handler })
  }

  /**
   * Declares a route for HEAD alone; it wins over the GET route of the same path.
   *
   * @param path A path, or one for each locale; placeholders are written `{name}`.
   * @param handler `[Controller, 'action']`, an invokable `Controller`, or `'Controller::action'`.
   * @returns The declaration, to be refined.
   */
  head<C extends ControllerClass>(path: LocalizedPath, handler: Handler<C>): RouteDeclaration {
    return this.#declare('head()', ['HEAD'], { path, handler })
  }

  /**
   * Declares a route for OPTIONS, which nothing answers by itself.
   *
   * @param path A path, or one for each locale; placeholders are written `{name}`.
   * @param handler `[Controller, 'action']`, an invokable `Controller`, or `'Controller::action'`.
   * @returns The declaration, to be refined.
   */
  options<C extends ControllerClass>(path: LocalizedPath, handler: Handler<C>): RouteDeclaration {
    return this.#declare('options()', ['OPTIONS'], { path, handler })
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
   * @throws {TypeError} If it is called from inside a `group()` on the routes around that group.
   * @throws {Error} If the routes have been read.
   */
  map<C extends ControllerClass>(
    methods: readonly string[],
    path: LocalizedPath,
    handler: Handler<C>,
  ): RouteDeclaration {
    return this.#declare('map()', methods, { path, handler })
  }

  #declare(
    call: string,
    methods: readonly string[],
    { path, handler }: { readonly path: LocalizedPath; readonly handler: unknown },
  ): RouteDeclaration {
    this.#collector.assertOpen(call, this)
    assertPath(path)
    const route = {
      methods: readMethods(methods),
      path: prefixed(this.#scope.prefix, path),
      handler,
      middlewares: this.#scope.middlewares,
      name: null,
      where: null,
      defaults: null,
      priority: 0,
      limits: this.#scope.limits,
      source: this.#collector.traced ? callSite() : undefined,
    }
    this.#collector.declared.push(route)
    return new RouteDeclaration(route, this.#collector)
  }

  /**
   * Begins a group of routes that share a prefix.
   *
   * @param path A path before theirs; it may hold placeholders.
   * @returns The group, to be given middlewares and routes.
   * @throws {TypeError} If the path does not begin with `/`, or it is called from inside a `group()` around it.
   * @throws {Error} If the routes have been read.
   */
  prefix(path: string): RouteGroup {
    this.#collector.assertOpen('prefix()', this)
    return new RouteGroup(this.#collector, this.#scope).prefix(path)
  }

  /**
   * Begins a group of routes that share middlewares.
   *
   * @param middlewares Middlewares around the routes of the group, outermost first.
   * @returns The group, to be given a prefix and routes.
   * @throws {TypeError} If it is called from inside a `group()` on the routes around that group.
   * @throws {Error} If the routes have been read.
   */
  middleware(...middlewares: MiddlewareClass[]): RouteGroup {
    this.#collector.assertOpen('middleware()', this)
    return new RouteGroup(this.#collector, this.#scope).middleware(...middlewares)
  }

  /**
   * Begins a group of routes that share limits.
   *
   * @param limits `bodyBytes`: largest body in bytes, above or below that of the application. `bodyMilliseconds`: time to send
   * it.
   * @returns The group, to be given routes.
   * @throws {TypeError} If a limit is unknown, or it is called from inside a `group()` on the routes around that group.
   * @throws {RangeError} If a limit is no number above 0.
   * @throws {Error} If the routes have been read.
   */
  limits(limits: RouteLimits): RouteGroup {
    this.#collector.assertOpen('limits()', this)
    return new RouteGroup(this.#collector, this.#scope).limits(limits)
  }
}

/** A group of routes under construction. */
export class RouteGroup {
  readonly #collector: RouteCollector
  #scope: Scope
  // Its routes have what it had when they were declared.
  #isDeclared = false
  readonly #source: string | undefined
  readonly #around: object | null

  /**
   * @param collector Takes the declarations.
   * @param scope Prefix and middlewares of the groups around.
   */
  constructor(collector: RouteCollector, scope: Scope) {
    this.#collector = collector
    this.#scope = scope
    this.#source = collector.traced ? callSite() : undefined
    this.#around = collector.innermost
    collector.unfinished.add(this)
  }

  /**
   * @param path A path before those of the group's routes, behind the prefix that it has already.
   * @returns This, for chaining.
   * @throws {TypeError} If the path does not begin with `/`.
   * @throws {Error} If routes of the group have been declared.
   */
  prefix(path: string): this {
    this.#assertOpen('prefix')
    if (typeof path !== 'string' || !path.startsWith('/'))
      throw declarationError(sentence`Cannot group routes under ${shown(path)}: the path must start with "/"`)
    const prefix = this.#scope.prefix + (path.endsWith('/') ? path.slice(0, -1) : path)
    this.#scope = { ...this.#scope, prefix }
    return this
  }

  /**
   * @param middlewares Middlewares around the routes of the group, inside those that it has already.
   * @returns This, for chaining.
   * @throws {Error} If routes of the group have been declared.
   */
  middleware(...middlewares: MiddlewareClass[]): this {
    this.#assertOpen('middleware')
    this.#scope = { ...this.#scope, middlewares: [...this.#scope.middlewares, ...middlewares] }
    return this
  }

  /**
   * @param limits Limits of the group's routes; a route may have its own.
   * @returns This, for chaining.
   * @throws {TypeError} If a limit is unknown.
   * @throws {RangeError} If a limit is no number above 0.
   * @throws {Error} If routes of the group have been declared.
   */
  limits(limits: RouteLimits): this {
    this.#assertOpen('limits')
    const nearest = { ...this.#scope.limits, ...readRouteLimits(limits, 'limits() of a group') }
    this.#scope = { ...this.#scope, limits: nearest }
    return this
  }

  /**
   * @param declare Declares the routes of the group on its argument; on those around it nothing can be declared meanwhile.
   * @throws {TypeError} If it is no function, an async one, or gives a promise.
   * @throws {Error} If the routes of the module have been read.
   */
  group(declare: (routes: Routes) => void): void {
    const what = 'declare the routes of a group'
    this.#collector.assertOpen('group()', this.#around)
    assertCallback(declare, what)
    this.#isDeclared = true
    this.#collector.unfinished.delete(this)
    const routes = new Routes(this.#collector, this.#scope)
    const { declared } = this.#collector
    const before = declared.length
    this.#collector.innermost = routes
    try {
      assertNoPromise(declare(routes), what)
    } finally {
      this.#collector.innermost = this.#around
    }
    if (declared.length === before)
      this.#collector.empty.push(`the group by ${this.#names()}${this.#place()}`)
  }

  /**
   * @returns The error of a group that has no routes: what it was given would guard nothing.
   * @internal
   */
  refuse(): TypeError {
    const mend = sentence`end it with .group((routes) => { … }), and declare its routes in there`
    return new TypeError(
      inOneLine(
        sentence`Cannot declare the group by ${this.#names()} without routes: ${mend}${this.#place()}`,
      ),
    )
  }

  // What the group was given, with those around it: `"/admin", class Gate`.
  #names(): string {
    const { prefix, middlewares, limits: named } = this.#scope
    const limits = Object.entries(named).map(([name, value]) => `the limit ${name} ${value}`)
    const given = [...(prefix === '' ? [] : [prefix]), ...middlewares].map(shown)
    return [...given, ...limits].join(', ') || 'nothing'
  }

  #place(): string {
    return this.#source === undefined ? '' : ` (${this.#source})`
  }

  #assertOpen(what: string): void {
    this.#collector.assertUnread(`${what}() of a group`)
    if (!this.#isDeclared) return
    const mend = sentence`group() has been called, and its routes would be without it; call group() last`
    throw lateDeclaration(`${what}() of a group`, mend)
  }
}
