import { ignoreFailure, inOneLine, shown } from '../core/internal.ts'
import type { MiddlewareClass } from '../http/index.ts'
import type { ActionArguments } from './generation/action-arguments.ts'
import { ActionCatalog } from './declaration/action-catalog.ts'
import { auditRoutes, auditWithResolvers } from '../inspection/audit/audit.ts'
import { SilentResolver, withinAnswerTime } from '../inspection/answer-time.ts'
import type { AuditScope } from '../inspection/audit/audit-scope.ts'
import type { RouteAudit } from '../inspection/audit/finding.ts'
import type { ControllerClass, MemberName } from './declaration/controller-class.ts'
import { DirectLookup } from './resolution/direct-lookup.ts'
import { EntryPoints } from './resolution/entry-points.ts'
import { Explainer, RouteExplanation } from '../inspection/explanation.ts'
import { Generation } from './generation/generation.ts'
import { LocaleSet } from './locale-set.ts'
import type { ModuleRouting } from './declaration/module-routing.ts'
import { isUnder, type PathPrefix } from './resolution/path-prefix.ts'
import type { PlainRouteName, RouteLocale, RouteName, RouteParams } from './generation/registered-routes.ts'
import { Resolution } from './resolution/resolution.ts'
import { BAD_REQUEST, type Route, type RouteMatch } from './route.ts'
import { type ListedRoute, listRoutes, type ListingScope } from '../inspection/route-listing.ts'
import { RoutedModule } from './routed-module.ts'
import { RoutingException } from './routing-exception.ts'
import { TrailingSlash } from './trailing-slash.ts'
import type { UrlParams } from './generation/url-params.ts'
import { LONGEST_PATH } from './url-path.ts'

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
  /** Gives the shared instance of a resolver class. Default: builds it. */
  readonly service?: <T extends object>(type: new () => T) => T
  /** Builds a middleware of a route or group when its table compiles, and throws where that fails. Default: nothing. */
  readonly prepare?: (middleware: MiddlewareClass) => void
  /** Whether a controller can be built as requests have it built. Default: each can. */
  readonly isBuildable?: (controller: ControllerClass) => boolean
  /** Prototypes whose methods serve controllers and are never actions. Default: none. */
  readonly helpers?: readonly object[]
}

/** Resolves each URL to exactly one module and action, and generates the URLs of routes and actions. */
export class Router {
  readonly #catalog: ActionCatalog
  readonly #direct: DirectLookup
  readonly #resolution: Resolution
  readonly #generation: Generation
  readonly #listing: ListingScope
  readonly #audited: AuditScope
  readonly #entries: EntryPoints

  /**
   * Checks everything but the route tables, which are compiled at their first use.
   *
   * @param options Modules and policy.
   * @throws {RoutingException} If mounts, claims, locales, middlewares or controllers of modules are wrong.
   */
  constructor(options: RouterOptions) {
    const {
      trailingSlash = TrailingSlash.Preserve,
      localePrefixes = false,
      service = (type) => new type(),
      prepare = () => undefined,
      isBuildable = () => true,
    } = options
    this.#catalog = new ActionCatalog(isBuildable, options.helpers)
    const locales = new LocaleSet(options.locales ?? [])
    const preservesSlash = trailingSlash === TrailingSlash.Preserve
    const surroundings = {
      catalog: this.#catalog,
      locales,
      localePrefixes,
      preservesSlash,
      segments: new Map(),
      service,
      prepare,
    }
    const modules = options.modules.map((module) => new RoutedModule(module, surroundings))
    const entries = new EntryPoints(modules, locales, localePrefixes)
    this.#entries = entries
    this.#resolution = new Resolution(entries, trailingSlash)
    this.#direct = new DirectLookup(modules, entries, trailingSlash)
    const verify = (method: string, path: string): Route | null => this.#verify(method, path)
    this.#listing = { modules, entries, localePrefixes, trailingSlash }
    this.#generation = new Generation({ modules, entries, locales, localePrefixes, trailingSlash, verify })
    const url: AuditScope['url'] = (name, params, locale) => this.#generation.url(name, params, locale)
    const resolversAt: AuditScope['resolversAt'] = (method, path) =>
      this.#resolution.resolversAt(method, path)
    this.#audited = { ...this.#listing, catalog: this.#catalog, locales, verify, resolversAt, url }
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
    if (path.length > LONGEST_PATH) return BAD_REQUEST
    const direct = this.#direct.match(method, path)
    if (direct !== null) return direct
    const match = this.#resolution.resolve(method, path)
    if (!(match instanceof Promise)) return match
    void ignoreFailure(match)
    throw new TypeError(
      `Cannot match ${shown(path)} at once: a resolver answers with a promise; use resolve()`,
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
    if (path.length > LONGEST_PATH) return BAD_REQUEST
    const direct = this.#direct.match(method, path)
    if (direct !== null) return direct
    const match = this.#resolution.resolve(method, path)
    return match instanceof Promise ? ignoreFailure(match) : match
  }

  /**
   * Generates the URL of a named route. It is canonical and reaches the route without a redirect, unless a resolver that
   * runs before the route answers it.
   *
   * @param name Name of a route, qualified by its module: `shop:product`; a route of the root module needs no module.
   * @param params Values of its placeholders; the others become the query. Default: none, where none is required. The
   * compiler checks name and values by the file that `sallyport routes --types` writes.
   * @param locale The locale. Default: the default locale.
   * @returns The path and query.
   * @throws {RoutingException} `unknown-route`, `missing-parameter`, `invalid-parameter`, `locale-variant-missing`,
   * `duplicate-name` if the module uses the name twice, or what the compilation of its table throws.
   */
  url<N extends PlainRouteName>(name: N, params?: RouteParams<N>, locale?: RouteLocale): string
  url<N extends RouteName>(name: N, params: RouteParams<N>, locale?: RouteLocale): string
  url(name: string, params: UrlParams = {}, locale?: string): string {
    return this.#generation.url(name, params, locale)
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
      throw new TypeError(`Cannot generate a URL for ${shown(handler)}: give [Controller, 'action']`)
    if (!Array.isArray(args))
      throw new TypeError(`Cannot generate a URL with ${shown(args)} as arguments: give a list`)
    const [controller, method] = handler
    const action = this.#catalog.of(controller).get(method)
    if (action !== undefined) return this.#generation.urlFor(action, args, locale)
    throw new RoutingException(
      'invalid-action',
      `Cannot generate a URL for ${controller.name}::${method}: it is no action`,
    )
  }

  /**
   * Lists every URL pattern of the application: tables, claims and convention. What resolvers answer is not known.
   *
   * @returns The patterns, by module in the order of declaration.
   * @throws {RoutingException} If a route table cannot be compiled.
   */
  routes(): readonly ListedRoute[] {
    return listRoutes(this.#listing)
  }

  // What the short way decides needs no resolver, so it is certain; the long way leaves resolvers out.
  #verify(method: string, path: string): Route | null {
    if (path.length > LONGEST_PATH) return null
    const direct = this.#direct.match(method, path)
    if (direct === null) return this.#resolution.verify(method, path)
    return direct.kind === 'found' ? direct.route : null
  }

  /**
   * Resolves a URL and tells each step on the way: locale, mount or claim, every resolver, every candidate and why it
   * lost, the cause of a redirect, the middlewares in the end. What a resolver throws ends it, with the steps before.
   *
   * @param method The HTTP method, in upper case.
   * @param path The path of the URL as sent, without query.
   * @returns The explanation; a promise only when a resolver gave one. It rejects if a resolver does not answer within five
   * seconds, and says which.
   * @throws {RoutingException} If a route table that is asked cannot be compiled.
   */
  explain(method: string, path: string): RouteExplanation | Promise<RouteExplanation> {
    const { localePrefixes, trailingSlash, modules } = this.#listing
    const mounts = modules.flatMap((module) =>
      [module, ...module.claims].flatMap((owner) =>
        this.#entries
          .pointsOf(owner)
          .flatMap(({ path, prefix }) =>
            path.length === 0 ? [] : [`/${prefix.join('/')} (module "${module.name}")`],
          ),
      ),
    )
    const explainer = new Explainer({ localePrefixes, trailingSlash, mounts })
    const tell = (answer: RouteMatch): RouteExplanation => {
      explainer.ended(answer)
      return new RouteExplanation({ method, path, steps: explainer.steps }, answer)
    }
    const fail = (error: unknown): RouteExplanation => {
      const failure = error instanceof SilentResolver ? null : explainer.failed(error)
      if (failure === null) throw error
      return new RouteExplanation({ method, path, steps: explainer.steps }, failure)
    }
    let match: RouteMatch | Promise<RouteMatch>
    try {
      match = this.#resolution.resolve(method, path, explainer)
    } catch (error) {
      return fail(error)
    }
    if (!(match instanceof Promise)) return tell(match)
    const sentence = (): string =>
      inOneLine(`Cannot explain ${method} ${path}: ${explainer.pending} has not answered`)
    return ignoreFailure(withinAnswerTime(match, sentence).then(tell, fail))
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
    return isUnder(this.#entries, path, prefix)
  }

  /** The locales of the application, the default first. */
  get locales(): readonly string[] {
    return this.#audited.locales.tags
  }

  /**
   * Checks the routes: compiles every table, generates every URL that can be generated and matches it again, and looks
   * for routes that take URLs from each other and for what no URL reaches. Resolvers are not asked.
   *
   * @returns What was found.
   */
  audit(): RouteAudit {
    return auditRoutes(this.#audited)
  }

  /**
   * Checks the routes as {@link audit} does, and asks each resolver whether it answers the URLs of routes and actions of
   * its module, too. Resolvers run as they do for a request of that URL.
   *
   * @returns What was found.
   */
  auditWithResolvers(): Promise<RouteAudit> {
    return auditWithResolvers(this.#audited)
  }
}
