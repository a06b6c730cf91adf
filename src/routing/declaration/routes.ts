import {
  assertCallback,
  assertNoPromise,
  callSite,
  declarationError,
  inOneLine,
  lateDeclaration,
  shown,
} from '../../core/internal.ts'
import type { MiddlewareClass } from '../../http/index.ts'
import type { ControllerClass, Handler } from './controller-class.ts'
import type { LocalizedPath, RouteCollector } from './route-collector.ts'
import { RouteDeclaration } from './route-declaration.ts'

interface Scope {
  readonly prefix: string
  readonly middlewares: readonly MiddlewareClass[]
}

const OUTERMOST: Scope = { prefix: '', middlewares: [] }
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/
// No server and no fetch handler hands these to an application.
const UNREACHABLE: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK'])

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
      throw declarationError(`Cannot group routes under ${shown(path)}: give a path that begins with "/"`)
    const prefix = this.#scope.prefix + (path.endsWith('/') ? path.slice(0, -1) : path)
    this.#scope = { prefix, middlewares: this.#scope.middlewares }
    return this
  }

  /**
   * @param middlewares Middlewares around the routes of the group, inside those that it has already.
   * @returns This, for chaining.
   * @throws {Error} If routes of the group have been declared.
   */
  middleware(...middlewares: MiddlewareClass[]): this {
    this.#assertOpen('middleware')
    this.#scope = { prefix: this.#scope.prefix, middlewares: [...this.#scope.middlewares, ...middlewares] }
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
    const mend = 'end it with .group((routes) => { … }), and declare its routes in there'
    return new TypeError(inOneLine(`Cannot group no routes by ${this.#names()}: ${mend}${this.#place()}`))
  }

  // What the group was given, with those around it: `"/admin", class Gate`.
  #names(): string {
    const { prefix, middlewares } = this.#scope
    return [...(prefix === '' ? [] : [prefix]), ...middlewares].map(shown).join(', ') || 'nothing'
  }

  #place(): string {
    return this.#source === undefined ? '' : ` (${this.#source})`
  }

  #assertOpen(what: string): void {
    this.#collector.assertUnread(`${what}() of a group`)
    if (!this.#isDeclared) return
    const mend = 'group() has been called, and its routes would be without it; call group() last'
    throw lateDeclaration(`${what}() of a group`, mend)
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
// Nearly every route has one method, so there is one list for each.
const SINGLE = new Map(METHODS.map((method) => [method, Object.freeze([method])]))

function readMethods(methods: readonly string[]): readonly string[] {
  const given: unknown = methods
  if (!Array.isArray(given))
    throw declarationError(
      `Cannot declare a route for ${shown(given)}: give a list of methods, such as ["GET"]`,
    )
  const single = methods.length === 1 ? SINGLE.get(methods[0] ?? '') : undefined
  if (single !== undefined) return single
  if (given.length === 0)
    throw declarationError('Cannot declare a route for no method: name at least one, such as ["GET"]')
  for (const method of methods) {
    if (typeof method !== 'string' || !TOKEN.test(method))
      throw declarationError(`Cannot declare a route for the method ${shown(method)}: name HTTP methods`)
    if (UNREACHABLE.has(method.toUpperCase()))
      throw declarationError(
        `Cannot declare a route for the method ${shown(method)}: it reaches no application`,
      )
  }
  return Object.freeze([...new Set(methods.map((method) => method.toUpperCase()))])
}

function assertPath(path: unknown): void {
  const isMap = typeof path === 'object' && path !== null && !Array.isArray(path)
  const bad = (isMap ? Object.values(path) : [path]).filter((each) => typeof each !== 'string')
  if (bad.length === 0) return
  const mend = 'give a path such as "/shop", or an object with one for each locale'
  throw declarationError(`Cannot route ${shown(bad[0])}: ${mend}`)
}

// A path that does not begin with a slash is left alone, so that it is refused when the table compiles.
function prefixed(prefix: string, path: LocalizedPath): LocalizedPath {
  const join = (variant: string): string =>
    variant === '' || variant.startsWith('/') ? prefix + variant : variant
  if (typeof path === 'string') return join(path)
  return Object.fromEntries(Object.entries(path).map(([locale, variant]) => [locale, join(variant)]))
}
