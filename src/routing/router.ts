import { ignoreFailure, sentence, shown } from '../core/internal.ts'
import type { MiddlewareClass } from '../http/index.ts'
import type { ActionArguments } from './generation/action-arguments.ts'
import type { Convention } from './convention/convention.ts'
import { ActionCatalog } from './declaration/action-catalog.ts'
import type { ControllerClass, MemberName } from './declaration/controller-class.ts'
import { loadExpressions } from './expression/late-expressions.ts'
import { FastPath } from './fast-path/fast-path.ts'
import { EntryPoints } from './resolution/entry-points.ts'
import { Generation, type GenerationScope } from './generation/generation.ts'
import type { ModuleRouting } from './declaration/module-routing.ts'
import type { DeclaredRoute } from './declaration/route-collector.ts'
import type { RouteArguments, RouteName, UrlParams } from './generation/url-params.ts'
import { type BodyCeiling, BodyLimits } from './resolution/body-limits.ts'
import { isUnder, looseSegmentsOf, type PathPrefix, segmentsOf } from './resolution/path-prefix.ts'
import { Resolution } from './resolution/resolution.ts'
import { BAD_REQUEST, type RouteMatch } from './route.ts'
import { RoutedModule } from './routed-module.ts'
import type { ResolverParts } from './late-resolvers.ts'
import { refuseUrl } from './routing-exception.ts'
import { Spelling, type TrailingSlash } from './spelling.ts'
import { MAX_PATH_LENGTH } from './url-path.ts'

/** What a router is made of, read-only: everything that looks at routes without serving them works on this. */
export interface RoutingModel extends GenerationScope {
  readonly catalog: ActionCatalog
  readonly generation: Generation
}

/** What a router is built from. */
export interface RouterOptions {
  /** The modules, in the order of declaration. */
  readonly modules: readonly ModuleRouting[]
  /** The locales of the application, BCP 47 tags; the first is the default. Default: none. */
  readonly locales?: readonly string[]
  /** What becomes of a slash at the end of a URL. Default: `TrailingSlash.Preserve`. */
  readonly trailingSlash?: TrailingSlash
  /** Whether the URLs of localized modules begin with their locale. Default: false. */
  readonly localePrefixes?: boolean
  /** The path of the host that all URLs begin with, such as `/accounts`; modules and claims do not name it. Default: none. */
  readonly basePath?: string
  /** Receives the router before a resolver is built, which may depend on it; it answers after the boot. Default: nothing. */
  readonly share?: (router: Router) => void
  /** Gives the shared instance of a resolver class. Default: builds it. */
  readonly service?: <T extends object>(type: new () => T) => T
  /** Builds a middleware of a route or group when its table compiles, and throws where that fails. Default: nothing. */
  readonly prepare?: (middleware: MiddlewareClass) => void
  /** What `loadResolvers()` gives for the modules. Default: none, for modules without resolvers. */
  readonly resolvers?: ResolverParts | null
  /** What `loadConvention()` gives for the modules. Default: none, for modules whose convention reaches no controller. */
  readonly Convention?: typeof Convention | null
  /** Prototypes whose methods serve controllers and are never actions. Default: none. */
  readonly helpers?: readonly object[]
}

// Stands in while resolvers are built.
const UNREADY: Pick<FastPath, 'match'> = {
  match: () => {
    throw unready()
  },
}

/**
 * Resolves each URL to exactly one module and action, and generates the URLs of routes and actions. Services get it with
 * `inject(Router)` and use it once the application has booted; there a URL without a locale is one of the default locale.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 *
 * class CartController extends Controller {
 *   static readonly actions = { index: [] }
 *   index() {}
 * }
 * const shop = defineModule('Shop', (module) =>
 *   module.mount({ fr: 'boutique', en: 'shop' }).localized().controllers(CartController),
 * )
 * const app = await App.default({ locales: ['fr', 'en'] })
 *   .modules(shop)
 *   .boot()
 * const router = app.router()
 *
 * assert.equal(router.match('GET', '/en/shop/cart').kind, 'found')
 * assert.equal(router.match('POST', '/en/shop/cart').kind, 'methodNotAllowed')
 * assert.equal(router.urlFor([CartController, 'index'], [], 'fr'), '/fr/boutique/cart')
 * ```
 */
export class Router {
  /** The path of the host that all URLs begin with; empty where the application has the whole host. */
  readonly basePath: string
  #fastPath: Pick<FastPath, 'match'> = UNREADY
  #whole: RoutingModel | null = null
  readonly #bodyLimits: BodyLimits

  /**
   * Checks everything but the route tables, which are compiled at their first use.
   *
   * @param options Modules and policy.
   * @throws {RoutingException} If mounts, claims, locales, middlewares or controllers of modules are wrong.
   */
  constructor(options: RouterOptions) {
    const { share = () => undefined, service = (type) => new type(), prepare = () => undefined } = options
    this.basePath = options.basePath ?? ''
    share(this)
    const catalog = new ActionCatalog(options.helpers)
    const spelling = new Spelling(options)
    const { resolvers = null, Convention = null } = options
    const context = { catalog, spelling, segments: new Map(), service, prepare, resolvers, Convention }
    const modules = options.modules.map((module) => new RoutedModule(module, context))
    const entries = new EntryPoints(modules, spelling)
    const fastPath = new FastPath(modules, entries, spelling)
    const resolution = new Resolution({ entries, spelling, fastPath, resolvers })
    this.#bodyLimits = new BodyLimits(entries, resolution)
    const scope = { modules, entries, spelling, resolution }
    this.#whole = Object.freeze({ ...scope, catalog, generation: new Generation(scope) })
    this.#fastPath = fastPath
  }

  /**
   * Loads what runs constraints where a route has one, so that each table can be compiled at its first use, without waiting.
   *
   * @internal
   */
  async ready(): Promise<void> {
    if (this.declares(({ where }) => where !== null)) await loadExpressions()
  }

  /**
   * Whether something holds of a route. Tables are declared for that, and not compiled.
   *
   * @param holds Tells it of a route.
   * @returns Whether it does; true, too, where routes cannot be declared, which fails at their first use.
   * @internal
   */
  declares(holds: (route: DeclaredRoute) => boolean): boolean {
    return this.#model.modules.some(({ owners }) =>
      owners.some(({ table }) => table?.declares(holds) === true),
    )
  }

  /**
   * Resolves a URL, without side effects.
   *
   * @param method The HTTP method, in upper case.
   * @param path The path of the URL as sent, without query.
   * @returns What becomes of the request.
   * @throws {TypeError} If a resolver answers with a promise: ask `resolve()` then.
   * @throws {RoutingException} If a route table that is asked cannot be compiled.
   */
  match(method: string, path: string): RouteMatch {
    if (path.length > MAX_PATH_LENGTH) return BAD_REQUEST
    const fast = this.#fastPath.match(method, path)
    if (fast !== null) return fast
    const match = this.#model.resolution.resolve(method, path)
    if (!(match instanceof Promise)) return match
    void ignoreFailure(match)
    throw new TypeError(
      sentence`Cannot match ${shown(path)} synchronously: a resolver returned a promise; use resolve()`,
    )
  }

  /**
   * Resolves a URL.
   *
   * @param method The HTTP method, in upper case.
   * @param path The path of the URL as sent, without query.
   * @returns What becomes of the request; a promise only when a resolver gave one.
   * @throws {RoutingException} If a route table that is asked cannot be compiled.
   */
  resolve(method: string, path: string): RouteMatch | Promise<RouteMatch> {
    if (path.length > MAX_PATH_LENGTH) return BAD_REQUEST
    const fast = this.#fastPath.match(method, path)
    if (fast !== null) return fast
    const match = this.#model.resolution.resolve(method, path)
    return match instanceof Promise ? ignoreFailure(match) : match
  }

  /**
   * Generates the URL of a named route. It is canonical and reaches the route without a redirect, unless a resolver that
   * runs before the route answers it. A value may have no URL: a string such as `..`, one that the type or the constraint
   * refuses, or one whose URL another route answers. Do not let such a value in, and pages never meet one; the guide of
   * routing shows how a form asks.
   *
   * @param name Name of a route, qualified by its module: `shop:product`; a route of the root module needs no module.
   * @param paramsAndLocale Values of its placeholders; the others become the query. Default: none, where none is required.
   * The compiler checks name and values by the file that `sallyport routes --types` writes. Then the locale. Default: the
   * default locale.
   * @returns The path and query.
   * @throws {RoutingException} `unknown-route`, `missing-parameter`, `invalid-parameter` for a value without a URL (the
   * message names route, placeholder and value), `locale-variant-missing`, `duplicate-name` if the module uses the name
   * twice, or what the compilation of its table throws.
   */
  url<N extends RouteName>(name: N, ...paramsAndLocale: RouteArguments<N>): string
  url(name: string, params: UrlParams = {}, locale?: string): string {
    return this.#model.generation.url(name, params, locale)
  }

  /**
   * Generates the conventional URL of an action.
   *
   * @param handler The controller and the declared name of its method: `[CartController, 'addPost']`.
   * @param rest Arguments of the action, in order, default: none; then the locale, default: the default locale.
   * @returns The path.
   * @throws {RoutingException} `invalid-action` if the controller has no such action, `explicit-action` if a route
   * table owns it, `unknown-route` if no convention reaches it, `invalid-parameter`, `locale-variant-missing`.
   * @throws {TypeError} If the handler is no list of controller and action, or the arguments are no list.
   */
  urlFor<C extends ControllerClass, M extends MemberName<C>>(
    handler: readonly [C, M],
    ...rest: ActionArguments<C, M>
  ): string
  urlFor(
    handler: readonly [ControllerClass, string],
    args: readonly unknown[] = [],
    locale?: string,
  ): string {
    if (!Array.isArray(handler))
      throw new TypeError(sentence`Cannot generate a URL for ${shown(handler)}: pass [Controller, 'action']`)
    if (!Array.isArray(args))
      throw new TypeError(sentence`Cannot generate a URL with ${shown(args)} as arguments: pass a list`)
    const [controller, method] = handler
    const action = this.#model.catalog.of(controller).get(method)
    if (action !== undefined) return this.#model.generation.urlFor(action, args, locale)
    throw refuseUrl('invalid-action', `${controller.name}::${method}`, sentence`it is not an action`)
  }

  /**
   * Whether a URL is below a prefix in any spelling that is answered or redirected there: with or without a locale, in
   * another letter case, needlessly encoded, in another spelling of the convention. No resolver is asked.
   *
   * @param path The path of the URL as sent, without query.
   * @param prefix The prefix.
   * @returns Whether it is below; true also where nothing answers, and in doubt.
   */
  isUnder(path: string, prefix: PathPrefix): boolean {
    return isUnder(this.#model.entries, path, prefix)
  }

  /**
   * The segments of a URL behind the base path, decoded; none where nothing answers.
   *
   * @param path The path of the URL as sent, without query.
   * @returns The segments.
   * @internal
   */
  segmentsOf(path: string): readonly string[] {
    const segments = segmentsOf(path)
    const start = this.#model.entries.startOf(segments)
    return start === 0 ? segments : Object.freeze(segments.slice(start))
  }

  /**
   * The locale that the prefix of a URL names, whether anything answers the URL or not: also of a malformed one.
   *
   * @param path The path of the URL as sent, without query.
   * @returns The locale as it was declared; null when the URL begins with none, or locale prefixes are off.
   * @internal
   */
  localeOf(path: string): string | null {
    const { entries } = this.#model
    const segments = looseSegmentsOf(path)
    return entries.localeOf(segments[entries.startOf(segments)] ?? '')
  }

  /**
   * How large the body of a request may be before it is known what answers it: as large as any route allows that may.
   *
   * @param method The HTTP method, in upper case; a POST may become another one by method override.
   * @param path The path of the URL as sent, without query.
   * @param otherwise The limit of the application in bytes.
   * @returns The limit in bytes. No resolver is asked.
   * @throws {RoutingException} If a route table that is asked cannot be compiled.
   * @internal
   */
  bodyCeiling(method: string, path: string, otherwise: number): BodyCeiling {
    return this.#bodyLimits.ceiling(method, path, otherwise)
  }

  /**
   * The pattern of the route that a URL belongs to, whatever was answered: also for a spelling that is redirected, and for a
   * method that is refused. No resolver is asked; what one may find is everything below its entry point.
   *
   * @param method The HTTP method, in upper case.
   * @param path The path of the URL as sent, without query.
   * @returns The pattern; null when the URL is unknown.
   * @throws {RoutingException} If a route table that is asked cannot be compiled.
   * @internal
   */
  patternAt(method: string, path: string): string | null {
    return path.length > MAX_PATH_LENGTH ? null : this.#model.resolution.patternAt(method, path)
  }

  /**
   * The modules that a path is below, innermost first, whether anything answers it or not: also a path that is malformed, is
   * redirected, or answers other methods only. First the claims, from the longest, then the mount, then the module at `/`.
   * No resolver is asked and no table compiled.
   *
   * @param path The path of the URL as sent, without query.
   * @returns The modules, each the very object that the router was built from, for two may share a name; the first one owns
   * the URL.
   * @internal
   */
  ownersOf(path: string): readonly ModuleRouting[] {
    return this.#model.entries.ownersOf(looseSegmentsOf(path)).map(({ given }) => given)
  }

  /**
   * What the router is made of, for `src/inspection`, which lists, explains and checks routes.
   *
   * @returns The model; it stays the same.
   * @internal
   */
  model(): RoutingModel {
    return this.#model
  }
  get #model(): RoutingModel {
    if (this.#whole === null) throw unready()
    return this.#whole
  }
}

function unready(): Error {
  return new Error(
    sentence`Cannot use the router in a constructor while the application boots: store it, and use it in a method`,
  )
}
