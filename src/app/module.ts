import type { Definitions } from '../container/index.ts'
import {
  assertCallback,
  assertOptions,
  callSite,
  decamelize,
  declarationError,
  lateDeclaration,
  sentence,
  shown,
} from '../core/internal.ts'
import type { MiddlewareClass } from '../http/index.ts'
import type { Resolver, ResolverClass, RouteLimits, Routes, ControllerClass } from '../routing/index.ts'
import { type ModuleRouting, type ModuleStep, readRouteLimits } from '../routing/internal.ts'
import { type AssetSource, type AssetUrls, assertAssetSource } from './asset-urls.ts'
import { assertErrorRenderer, type ErrorRenderer, type ErrorRendererClass } from './failure.ts'
import { type Registration, registration } from './registration.ts'

/** A segment or path for all locales, or one for each. */
export type PerLocale = string | Readonly<Record<string, string>>

/**
 * The configuration of a module: its URLs, code and middlewares. It is locked after the callback of `defineModule()` and
 * those of `configure()` have run.
 */
export class Module {
  /**
   * The path of the host below which the application is, such as `/accounts`; empty without one. Mounts, claims and routes do
   * not name it. A source of assets puts it before its URLs.
   */
  readonly basePath: string
  readonly #steps: ModuleStep[] = []
  readonly #controllers: ControllerClass[] = []
  readonly #middlewares: MiddlewareClass[] = []
  readonly #configurations: Registration[] = []
  readonly #assets: AssetSource[] = []
  #mount: PerLocale | undefined
  #limits: RouteLimits | null = null
  #renderer: ErrorRendererClass | ErrorRenderer | null = null
  #localized = false
  #convention = true
  #slash = true
  // Name of the module once it has been read; null before.
  #label: string | null = null

  /**
   * @param basePath The base path of the application; empty for none.
   * @internal
   */
  constructor(basePath: string) {
    this.basePath = basePath
  }

  /**
   * @param mount The segment of the module, or one for each locale, or `/` for the root. Default: the module's name in kebab
   * case.
   * @returns This, for chaining.
   * @throws {TypeError} If it is neither a string nor an object of strings.
   * @throws {Error} If the module has been read.
   */
  mount(mount: PerLocale): this {
    this.#assertOpen('mount')
    assertPerLocale(mount, 'mount a module on')
    this.#mount = mount
    return this
  }

  /**
   * Puts the module under a locale prefix.
   *
   * @returns This, for chaining.
   * @throws {Error} If the module has been read.
   */
  localized(): this {
    this.#assertOpen('localized')
    this.#localized = true
    return this
  }

  /**
   * @param controllers Controllers for the convention and for `'Name::action'` handlers.
   * @returns This, for chaining.
   * @throws {TypeError} If one is listed twice.
   * @throws {Error} If the module has been read.
   */
  controllers(...controllers: ControllerClass[]): this {
    this.#assertOpen('controllers')
    for (const controller of controllers) {
      if (typeof controller === 'function' && this.#controllers.includes(controller))
        throw declarationError(
          sentence`Cannot list ${shown(controller)} twice: name each controller of a module once`,
        )
      this.#controllers.push(controller)
    }
    return this
  }

  /**
   * @param middlewares Middlewares around everything in the module, including claims and the convention.
   * @returns This, for chaining.
   * @throws {Error} If the module has been read.
   */
  middleware(...middlewares: MiddlewareClass[]): this {
    this.#assertOpen('middleware')
    this.#middlewares.push(...middlewares)
    return this
  }

  /**
   * Limits what is read of requests to the module, unless a group, a route or an action has its own limits.
   *
   * @param limits `bodyBytes`: largest body in bytes, above or below that of the application. `bodyMilliseconds`: time to send
   * it.
   * @returns This, for chaining.
   * @throws {TypeError} If a limit is unknown.
   * @throws {RangeError} If a limit is not a number above 0.
   * @throws {Error} If the module has been read.
   */
  limits(limits: RouteLimits): this {
    this.#assertOpen('limits')
    this.#limits = { ...this.#limits, ...readRouteLimits(limits, 'limits() of a module') }
    return this
  }

  /**
   * Decides how errors look under the URLs of the module, also of requests that are refused before routing. If the renderer
   * gives null or fails, the module at `/` is asked, then the application.
   *
   * @param renderer A class, built once through the container, or an instance.
   * @returns This, for chaining.
   * @throws {TypeError} If it has no method `render`.
   * @throws {Error} If the module has been read.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, defineModule, type ErrorRenderer, type Failure } from 'sallyport'
   * import { TestClient } from 'sallyport/testing'
   *
   * class ApiErrors implements ErrorRenderer {
   *   render({ status, code, message }: Failure): Response {
   *     return Response.json({ error: { code, message } }, { status })
   *   }
   * }
   * const api = defineModule('Api', (module) => module.errors(ApiErrors))
   *
   * const response = await new TestClient(App.default().modules(api)).get('/api/nothing')
   * assert.equal(response.status, 404)
   * assert.match(await response.text(), /"code":"ERR_HTTP_NOT_FOUND"/)
   * ```
   */
  errors(renderer: ErrorRendererClass | ErrorRenderer): this {
    this.#assertOpen('errors')
    assertErrorRenderer(renderer)
    this.#renderer = renderer
    return this
  }

  /** What `errors()` was given; null when it was not called. @internal */
  get renderer(): ErrorRendererClass | ErrorRenderer | null {
    return this.#renderer
  }

  /**
   * Declares routes. Several calls add to one table, which is compiled on first use.
   *
   * @param declare Declares the routes.
   * @returns This, for chaining.
   * @throws {TypeError} If it is not a function, or is an async one.
   * @throws {Error} If the module has been read.
   */
  routes(declare: (routes: Routes) => void): this {
    this.#assertOpen('routes')
    assertCallback(declare, 'declare routes')
    this.#steps.push({ kind: 'table', declare })
    return this
  }

  /**
   * Adds a resolver.
   *
   * @param resolver A class, built once through the container, or an instance; it must not store anything about a request.
   * @param options `priority`: lower runs first; the table has 0, the convention 1000. Default: 0.
   * @returns This, for chaining.
   * @throws {TypeError} If an option is unknown, or the priority is not a number.
   * @throws {Error} If the module has been read.
   */
  resolver(resolver: ResolverClass | Resolver, options: { readonly priority?: number } = {}): this {
    this.#assertOpen('resolver')
    assertOptions(options, ['priority'], 'resolver()')
    const { priority = 0 } = options
    this.#steps.push({ kind: 'resolver', resolver, priority })
    return this
  }

  /**
   * Claims a path outside the module's segment, with a route table of its own.
   *
   * @param path The path, or one for each locale.
   * @param declare Declares routes relative to it.
   * @returns This, for chaining.
   * @throws {TypeError} If the path is neither a string nor an object of strings, or `declare` is not a function or is an
   * async one.
   * @throws {Error} If the module has been read.
   */
  claim(path: PerLocale, declare: (routes: Routes) => void): this {
    this.#assertOpen('claim')
    assertPerLocale(path, 'claim')
    assertCallback(declare, `declare the routes of the claim ${shown(path)}`)
    this.#steps.push({ kind: 'claim', path, declare })
    return this
  }

  /**
   * Turns off convention routing: only the table, claims and resolvers of the module answer.
   *
   * @returns This, for chaining.
   * @throws {Error} If the module has been read.
   */
  withoutConventionRouting(): this {
    this.#assertOpen('withoutConventionRouting')
    this.#convention = false
    return this
  }

  /**
   * Ends the URLs of the module without a slash, whatever the policy of the application says: they name files. The other
   * spelling redirects.
   *
   * @returns This, for chaining.
   * @throws {Error} If the module has been read.
   */
  withoutTrailingSlash(): this {
    this.#assertOpen('withoutTrailingSlash')
    this.#slash = false
    return this
  }

  /**
   * @param source Where `$asset(name)` of templates finds URLs, after the sources of modules listed before.
   * @returns This, for chaining.
   * @throws {TypeError} If it has no `assetUrl(name)` and `assetNames`.
   * @throws {Error} If the module has been read.
   */
  assets(source: AssetSource): this {
    this.#assertOpen('assets')
    assertAssetSource(source)
    this.#assets.push(source)
    return this
  }

  /**
   * @param configure Registers services; it runs at boot, before the application's own `configure()`.
   * @returns This, for chaining.
   * @throws {TypeError} If it is not a function, or is an async one.
   * @throws {Error} If the module has been read.
   */
  configure(configure: (definitions: Definitions) => void): this {
    this.#assertOpen('configure')
    this.#configurations.push(registration(configure))
    return this
  }

  /**
   * @param name Name of the module.
   * @param source Where it is declared, as `file:line`.
   * @returns The declarations for the router. Nothing can be declared afterwards.
   * @internal
   */
  toRouting(name: string, source: string | undefined): ModuleRouting {
    this.#label = `module "${name}"${source === undefined ? '' : ` (${source})`}`
    return {
      name,
      segment: decamelize(name),
      ...(this.#mount === undefined ? {} : { mount: this.#mount }),
      ...(source === undefined ? {} : { source }),
      ...(this.#limits === null ? {} : { limits: this.#limits }),
      localized: this.#localized,
      convention: this.#convention,
      ...(this.#slash ? {} : { slash: false }),
      controllers: this.#controllers,
      middlewares: this.#middlewares,
      steps: this.#steps,
    }
  }

  /**
   * @param definitions Receives the module's services.
   * @param assets Receives where its assets are found.
   * @throws {TypeError} If a callback returns a promise.
   * @internal
   */
  define(definitions: Definitions, assets: AssetUrls): void {
    for (const source of this.#assets) assets.add(source)
    for (const configure of this.#configurations) configure(definitions)
  }

  #assertOpen(what: string): void {
    if (this.#label === null) return
    const advice = sentence`it has been read; declare everything before its function in defineModule() returns`
    throw lateDeclaration(`${what}() of ${this.#label}`, advice)
  }
}

/** A module that an application can list. */
export interface ModuleDefinition {
  /** Its name; null: the name of its folder. */
  readonly name: string | null
  /** Where it is declared, as `file:line`, when known. */
  readonly source: string | undefined
  /** Configures it; called once for each application. */
  readonly configure: (module: Module) => unknown
}

/**
 * Declares a module. Nothing runs before the application boots.
 *
 * @param name Name in camel case; its kebab-case form is the default segment. It may be omitted in a `module.ts` that
 * `App.modulesFrom()` reads.
 * @param configure Configures the module.
 * @returns The definition.
 * @throws {TypeError} If the name has other characters than letters and digits, or the configuration is not a function or is
 * an async one.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 * import { param } from 'sallyport/routing'
 * import { TestClient } from 'sallyport/testing'
 *
 * class ProductController extends Controller {
 *   static readonly actions = { show: [param.string('slug')] }
 *   show(slug: string) {
 *     return { slug }
 *   }
 * }
 *
 * const shop = defineModule('Shop', (module) =>
 *   module
 *     .mount('store')
 *     .controllers(ProductController)
 *     .routes((routes) => {
 *       routes.get('/product/{slug}', [ProductController, 'show']).name('product')
 *     }),
 * )
 *
 * const response = await new TestClient(App.default().modules(shop)).get('/store/product/green-tea')
 * assert.deepEqual(await response.json(), { slug: 'green-tea' })
 * ```
 */
export function defineModule(
  name: string | ((module: Module) => unknown),
  configure?: (module: Module) => unknown,
): ModuleDefinition {
  const source = callSite()
  if (typeof name === 'function') {
    assertCallback(name, 'define a module')
    return { name: null, source, configure: name }
  }
  if (typeof name !== 'string' || !/^[A-Za-z][A-Za-z0-9]*$/.test(name))
    throw declarationError(sentence`Cannot name a module ${shown(name)}: use letters and digits`)
  assertCallback(configure, `define the module "${name}"`)
  return { name, source, configure }
}

function assertPerLocale(given: unknown, what: string): void {
  if (typeof given === 'string') return
  const isMap = typeof given === 'object' && given !== null && !Array.isArray(given)
  const paths: unknown[] = isMap ? Object.values(given) : [given]
  const bad = paths.find((path) => typeof path !== 'string')
  if (isMap && paths.length > 0 && bad === undefined && !paths.includes(undefined)) return
  const wrong = isMap && paths.length > 0 ? bad : given
  throw declarationError(
    sentence`Cannot ${what} ${shown(wrong)}: pass a string, or an object with one for each locale`,
  )
}
