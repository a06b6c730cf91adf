import type { Definitions, Token } from '../container/index.ts'
import { DEFAULT_ACTION_LIMITS } from '../context/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { lateDeclaration } from '../core/internal.ts'
import { DEFAULT_LIMITS, FetchSource, LightResponse, type RequestSource } from '../http/internal.ts'
import { ServedHosts } from '../http/index.ts'
import { DEFAULT_INPUT_LIMITS } from '../input/internal.ts'
import type { Inspection } from '../inspection/internal.ts'
import { type Router, TrailingSlash } from '../routing/index.ts'
import { buildApplication, type BuiltApplication, inspectionOf } from './building.ts'
import type { CloseOptions } from './close-hooks.ts'
import { LifecycleHooks } from './lifecycle-hooks.ts'
import { MiddlewareBands } from './middleware-bands.ts'
import type { ModuleDefinition } from './module.ts'
import {
  type AppLimits,
  type AppOptions,
  assertAppOptions,
  assertDirectory,
  assertFetch,
  assertLimits,
  assertLocales,
  assertModules,
  assertTemplate,
  type FetchOptions,
  readRouting,
  type RoutingOptions,
} from './options.ts'
import { type Registration, registration } from './registration.ts'
import { hostOf, MISDIRECTED, NO_PATH, type Refusal, refusal } from './refusal.ts'
import { reportFault } from './report-fault.ts'
import { SecurityHeaders } from './security-headers.ts'

/** A web application: modules, services and middlewares, configured before `boot()` and locked by it. */
export class App {
  readonly #debug: boolean
  readonly #modules: ModuleDefinition[] = []
  readonly #directories: URL[] = []
  readonly #configurations: Registration[] = []
  readonly #bands = new MiddlewareBands()
  readonly #hooks = new LifecycleHooks()
  #locales: readonly string[]
  #trailingSlash: TrailingSlash
  #localePrefixes: boolean
  #limits: AppLimits = { ...DEFAULT_LIMITS, ...DEFAULT_INPUT_LIMITS, ...DEFAULT_ACTION_LIMITS }
  #errorTemplate: string | null = null
  #booting: Promise<this> | null = null
  #built: BuiltApplication | null = null
  #lastHosts: { readonly given: FetchOptions; readonly served: ServedHosts } | null = null

  private constructor(options: AppOptions, trailingSlash: TrailingSlash, localePrefixes: boolean) {
    assertAppOptions(options)
    this.#locales = [...(options.locales ?? [])]
    this.#debug = options.debug ?? process.env['NODE_ENV'] === 'development'
    this.#trailingSlash = trailingSlash
    this.#localePrefixes = localePrefixes
  }

  /**
   * The neutral profile: slashes as declared, no locale prefixes.
   *
   * @param options Languages and debugging.
   * @returns An application without modules.
   * @throws {TypeError} If an option is not what it is said to be.
   */
  static create(options: AppOptions = {}): App {
    return new App(options, TrailingSlash.Preserve, false)
  }

  /**
   * The recommended profile: no trailing slashes, locale prefixes for localized modules.
   *
   * @param options Languages and debugging.
   * @returns An application without modules.
   * @throws {TypeError} If an option is not what it is said to be.
   */
  static default(options: AppOptions = {}): App {
    return new App(options, TrailingSlash.Remove, true)
  }

  /**
   * @param locales BCP 47 tags, the first one the default.
   * @returns This, for chaining.
   * @throws {TypeError} If it is no list of strings.
   * @throws {Error} If `boot()` has been called, also from what it runs.
   */
  locales(locales: readonly string[]): this {
    this.#assertOpen('locales')
    assertLocales(locales)
    this.#locales = [...locales]
    return this
  }

  /**
   * Overrides the parts of the profile that it names, and no other.
   *
   * @param trailingSlash The policy, or parts by name.
   * @param localePrefixes Whether localized modules answer under a locale prefix. Default: as it was.
   * @returns This, for chaining.
   * @throws {TypeError} If it is no policy, or a part is wrong.
   * @throws {Error} If `boot()` has been called, also from what it runs.
   */
  routing(trailingSlash: TrailingSlash | RoutingOptions, localePrefixes?: boolean): this {
    this.#assertOpen('routing')
    const options = readRouting(trailingSlash, localePrefixes)
    this.#trailingSlash = options.trailingSlash ?? this.#trailingSlash
    this.#localePrefixes = options.localePrefixes ?? this.#localePrefixes
    return this
  }

  /**
   * @param modules Modules to add.
   * @returns This, for chaining.
   * @throws {TypeError} If one was not made by `defineModule()`.
   * @throws {Error} If `boot()` has been called, also from what it runs.
   */
  modules(...modules: ModuleDefinition[]): this {
    this.#assertOpen('modules')
    assertModules(modules)
    this.#modules.push(...modules)
    return this
  }

  /**
   * Adds every module of a folder at boot: the default export of each `<folder>/module.ts` (or `.js`), in the order of
   * the folder names. Links to folders are followed; a folder without such a file is skipped with a warning, unless its
   * name begins with `.` or `_`.
   *
   * @param directory The folder that holds the module folders.
   * @returns This, for chaining.
   * @throws {TypeError} If it is no file URL.
   * @throws {Error} If `boot()` has been called, also from what it runs.
   */
  modulesFrom(directory: URL): this {
    this.#assertOpen('modulesFrom')
    assertDirectory(directory)
    this.#directories.push(directory)
    return this
  }

  /**
   * Adds to the composition root.
   *
   * @param callback Registers services; it runs at boot, after the modules' own.
   * @returns This, for chaining.
   * @throws {TypeError} If it is no function, or an async one: what takes time is opened before.
   * @throws {Error} If `boot()` has been called, also from what it runs.
   */
  configure(callback: (definitions: Definitions) => void): this {
    this.#assertOpen('configure')
    this.#configurations.push(registration(callback))
    return this
  }

  /**
   * @param limits Limits that differ from the defaults: `bodyBytes` 1 MiB, `fields` 1000, `jsonDepth` 64,
   * `handlerMilliseconds` none.
   * @returns This, for chaining.
   * @throws {Error} If `boot()` has been called, also from what it runs.
   * @throws {TypeError} If there is no such limit.
   * @throws {RangeError} If a limit is no positive number.
   */
  limits(limits: Partial<AppLimits>): this {
    this.#assertOpen('limits')
    assertLimits(limits, this.#limits)
    this.#limits = { ...this.#limits, ...limits }
    return this
  }

  /**
   * Has error pages rendered by a template of the application; it sees `error` with `status`, `code`, `title`,
   * `message`, `lines`, `requestId` and `trace`. A template that fails gives the built-in page.
   *
   * @param template Name of the template.
   * @returns This, for chaining.
   * @throws {TypeError} If it is no name.
   * @throws {Error} If `boot()` has been called, also from what it runs.
   */
  errorView(template: string): this {
    this.#assertOpen('errorView')
    assertTemplate(template)
    this.#errorTemplate = template
    return this
  }

  /**
   * @returns The middleware bands.
   */
  middleware(): MiddlewareBands {
    return this.#bands
  }

  /**
   * @param hook Hears of every unexpected error and of every 5xx that has a cause, such as a store that does not answer,
   * once; without a hook they go to the standard error output.
   * @returns This, for chaining.
   * @throws {TypeError} If it is no function.
   */
  onError(hook: (error: unknown, context: HttpContext) => void): this {
    this.#hooks.onError(hook)
    return this
  }

  /**
   * @param hook Runs when the response has been handed to the adapter.
   * @returns This, for chaining.
   * @throws {TypeError} If it is no function.
   * @throws {Error} If `boot()` has been called, also from what it runs.
   */
  onTerminate(hook: (context: HttpContext) => void): this {
    this.#assertOpen('onTerminate')
    this.#hooks.onTerminate(hook)
    return this
  }

  /**
   * Runs a hook when the application is closed, the last one first: close here what was opened. Each runs although another
   * fails or hangs.
   *
   * @param hook Closes something; its promise is awaited.
   * @param options `milliseconds` that it may take until the next one runs. Default: 5000.
   * @returns This, for chaining.
   * @throws {TypeError} If it is no function.
   * @throws {RangeError} If its time is not above 0.
   * @throws {Error} If the application has closed.
   */
  onClose(hook: () => void | Promise<void>, options?: CloseOptions): this {
    this.#hooks.closing.add(hook, options)
    return this
  }

  /**
   * Builds the application; a second call gives the same result. Mount, claim and locale conflicts, and controllers
   * that break a rule, are reported here.
   *
   * @returns This, for chaining.
   * @throws {RoutingException} If URLs are ambiguous or a declaration is not allowed.
   * @throws {ContainerException} If a service cannot be built.
   * @throws {Error} If the application was closed before.
   */
  boot(): Promise<this> {
    if (this.#booting !== null) return this.#booting
    const { promise, resolve } = Promise.withResolvers<this>()
    // Locked before anything of the application runs: what that declares would come too late, and have no effect.
    this.#booting = promise
    resolve(this.#boot())
    return promise
  }

  /**
   * Answers a request; boots when needed. Nothing that a client sends has it reject, nor does a failure of the
   * application: that is a response, too.
   *
   * @param request The request.
   * @param options What the host knows: the client's address, the origin, further hosts. Default: nothing.
   * @returns A response of the platform.
   * @throws {TypeError} Rejects if the caller gives no request, or options that are malformed: no answer could mend that.
   */
  async fetch(request: Request, options: FetchOptions = {}): Promise<Response> {
    assertFetch(request, options)
    const hosts = this.#hostsOf(options)
    let light: LightResponse | null = null
    try {
      await this.boot()
      const source = new FetchSource(request, this.#limits, { ...options, origin: hosts?.origin ?? null })
      const isServed = hosts === null || hosts.accepts(hostOf(request.url))
      // What `serve()` refuses too: to some, two slashes at the start name another host.
      if (source.target.startsWith('//')) light = this.#refused(source, NO_PATH)
      else
        light = isServed ? LightResponse.from(await this.handle(source)) : this.#refused(source, MISDIRECTED)
      return light.toSent()
    } catch (error) {
      // Somebody began to read the body after the response was made.
      if (light?.bodyFailed(error) !== true) reportFault(error)
      const message =
        this.#built === null ? 'The application could not start' : 'Something went wrong on our end'
      const lines = this.linesOfRefusal(request.url.startsWith('https:'))
      return refusal({ status: 500, message }, [...lines, 'cache-control', 'no-store']).toNative()
    }
  }

  #refused({ method, secure }: RequestSource, reason: Refusal): LightResponse {
    const refused = refusal(reason, this.linesOfRefusal(secure))
    return method === 'HEAD' ? new LightResponse(refused.status, null, refused.headerLines()) : refused
  }

  // A host gives the same ones with every request.
  #hostsOf(given: FetchOptions): ServedHosts | null {
    if (given.origin === undefined && given.hosts === undefined) return null
    const last = this.#lastHosts
    if (last !== null && last.given.origin === given.origin && last.given.hosts === given.hosts)
      return last.served
    const served = new ServedHosts(given)
    this.#lastHosts = { given, served }
    return served
  }

  /**
   * Answers a request as an adapter received it; the application has booted.
   *
   * @param source The request.
   * @returns The response, possibly a light one; it never throws and never rejects.
   * @throws {Error} If the application has not booted.
   * @internal
   */
  handle(source: RequestSource): Response | Promise<Response> {
    return this.#running().kernel.handle(source)
  }

  /**
   * @returns The router.
   * @throws {Error} If the application has not booted.
   */
  router(): Router {
    return this.#running().router
  }

  /**
   * Loads what lists, explains and checks the routes, as the command `sallyport` does; nothing else loads it.
   *
   * @returns The inspection.
   * @throws {Error} Rejects if the application has not booted.
   */
  async inspection(): Promise<Inspection> {
    return inspectionOf(this.router())
  }

  /**
   * @param token A class.
   * @returns Its registered value or shared instance.
   * @throws {Error} If the application has not booted.
   * @throws {ContainerException} If it cannot be built.
   */
  get<T>(token: Token<T>): T {
    return this.#running().container.get(token)
  }

  /**
   * @returns The limits that stand, for adapters.
   * @internal
   */
  currentLimits(): AppLimits {
    return this.#limits
  }

  /**
   * @param isSecure Whether the client's connection is HTTPS.
   * @returns Names and values by turns: what every response carries, for an answer of an adapter's own.
   * @internal
   */
  linesOfRefusal(isSecure: boolean): readonly string[] {
    const headers = this.#built === null ? new SecurityHeaders() : this.#built.container.get(SecurityHeaders)
    return headers.linesOfRefusal(isSecure)
  }

  /**
   * Runs the close hooks, once: every call gives the same promise. A boot that is under way ends first. What was closed
   * does not boot again.
   *
   * @throws {AggregateError} If hooks failed or took longer than they may; `errors` has one for each, and the message
   * names them.
   */
  close(): Promise<void> {
    return this.#hooks.closing.close(this.#booting)
  }

  async #boot(): Promise<this> {
    if (this.#hooks.closing.isClosing) throw new Error('Cannot boot: the application has been closed')
    this.#built = await buildApplication({
      modules: this.#modules,
      directories: this.#directories,
      configurations: this.#configurations,
      bands: this.#bands,
      hooks: this.#hooks,
      locales: this.#locales,
      trailingSlash: this.#trailingSlash,
      localePrefixes: this.#localePrefixes,
      limits: this.#limits,
      errorTemplate: this.#errorTemplate,
      debug: this.#debug,
    })
    return this
  }

  #running(): BuiltApplication {
    if (this.#built === null) throw new Error('Cannot do that yet: the application has not booted')
    return this.#built
  }

  #assertOpen(what: string): void {
    if (this.#booting !== null)
      throw lateDeclaration(`${what}()`, 'the application boots or has booted; call it before boot()')
  }
}
