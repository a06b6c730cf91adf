import type { Token } from '../container/index.ts'
import { completeMessage, sentence } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { FetchSource, LightResponse, type RequestSource } from '../http/internal.ts'
import { ServedHosts } from '../http/index.ts'
import type { Inspection } from '../inspection/internal.ts'
import { type Router, TrailingSlash } from '../routing/index.ts'
import { AppConfiguration, type Configuration } from './app-configuration.ts'
import { buildApplication, type BuiltApplication } from './building.ts'
import { type AppOptions, assertFetch, type FetchOptions } from './options.ts'
import { hostOf, MISDIRECTED, NO_PATH, type Refusal, refusal } from './refusal.ts'
import { reportFault } from './report-fault.ts'
import { SecurityHeaders } from './security-headers.ts'

/**
 * A web application: modules, services and middlewares, configured before `boot()` and locked by it.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 * import type { Actions } from 'sallyport/routing'
 *
 * class HelloController extends Controller {
 *   static readonly actions = { index: [] } satisfies Actions<HelloController>
 *
 *   index() {
 *     return { hello: 'world' }
 *   }
 * }
 *
 * const site = defineModule('Site', (module) => module.mount('/').controllers(HelloController))
 * const app = App.default().modules(site)
 *
 * const response = await app.fetch(new Request('http://localhost/hello'))
 * assert.deepEqual(await response.json(), { hello: 'world' })
 * ```
 */
export class App extends AppConfiguration {
  #booting: Promise<this> | null = null
  #built: BuiltApplication | null = null
  #lastHosts: { readonly given: FetchOptions; readonly served: ServedHosts } | null = null

  private constructor(options: AppOptions, trailingSlash: TrailingSlash, localePrefixes: boolean) {
    super(options, trailingSlash, localePrefixes)
  }

  /**
   * The neutral profile: slashes as declared, no locale prefixes.
   *
   * @param options Languages, debugging and the base path.
   * @returns An application without modules.
   * @throws {TypeError} If an option has the wrong type or is unknown.
   */
  static create(options: AppOptions = {}): App {
    return new App(options, TrailingSlash.Preserve, false)
  }

  /**
   * The recommended profile: no trailing slashes, locale prefixes for localized modules.
   *
   * @param options Languages, debugging and the base path.
   * @returns An application without modules.
   * @throws {TypeError} If an option has the wrong type or is unknown.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Controller, defineModule } from 'sallyport'
   *
   * class TeaController extends Controller {
   *   static readonly actions = { index: [] }
   *   index() {
   *     return this.context.urlFor([TeaController, 'index'])
   *   }
   * }
   * const shop = defineModule('Shop', (module) => module.controllers(TeaController))
   *
   * // At https://example.com/drinks, whether a proxy passes the base path on or strips it.
   * const app = App.default({ basePath: '/drinks' }).modules(shop)
   *
   * for (const path of ['/drinks/shop/tea', '/shop/tea']) {
   *   const response = await app.fetch(new Request(`https://example.com${path}`))
   *   assert.equal(await response.text(), '/drinks/shop/tea')
   * }
   * ```
   */
  static default(options: AppOptions = {}): App {
    return new App(options, TrailingSlash.Remove, true)
  }

  /**
   * Builds the application; a second call returns the same promise. Conflicts between mounts, claims and locales, and invalid
   * controllers, are reported here.
   *
   * @returns This, for chaining.
   * @throws {RoutingException} If URLs are ambiguous or a declaration is not allowed.
   * @throws {ContainerException} If a service cannot be built.
   * @throws {Error} If the application has been closed.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Controller, defineModule } from 'sallyport'
   *
   * class TeaController extends Controller {
   *   static readonly actions = { index: [] }
   *   index() {}
   * }
   * const tea = defineModule('Tea', (module) => module.mount('drinks').controllers(TeaController))
   * const coffee = defineModule('Coffee', (module) => module.mount('drinks').controllers(TeaController))
   *
   * // Boot before you listen: a conflict between URLs stops the program here, not a request.
   * await assert.rejects(App.default().modules(tea, coffee).boot(), { code: 'mount-conflict' })
   * ```
   */
  boot(): Promise<this> {
    if (this.#booting !== null) return this.#booting
    const { promise, resolve } = Promise.withResolvers<this>()
    // Locked before any code of the application runs: declarations in that code would come too late to take effect.
    this.#booting = promise
    resolve(this.#boot(this.lock()))
    return promise
  }

  /**
   * Answers a request; boots if necessary. It does not reject because of a client or a failure of the application: both
   * become responses.
   *
   * @param request The request.
   * @param options What the host knows: the client's address, the origin, further hosts. Default: nothing.
   * @returns A response of the platform.
   * @throws {TypeError} Rejects if the argument is not a request or an option is malformed: mistakes of the host.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App } from 'sallyport'
   *
   * const app = App.default()
   *
   * // Inside the handler of another server, which knows the client's address and its own origin.
   * const options = { clientAddress: '198.51.100.7', origin: 'https://app.test' }
   * const response = await app.fetch(new Request('https://app.test/nothing'), options)
   *
   * assert.equal(response.status, 404)
   * ```
   */
  async fetch(request: Request, options: FetchOptions = {}): Promise<Response> {
    let hosts: ServedHosts | null
    try {
      assertFetch(request, options)
      hosts = this.#hostsOf(options)
    } catch (error) {
      await completeMessage(error)
      throw error
    }
    let light: LightResponse | null = null
    try {
      await this.boot()
      const source = new FetchSource(request, this.currentLimits(), {
        ...options,
        origin: hosts?.origin ?? null,
        basePath: this.basePath,
      })
      const isServed = hosts === null || hosts.accepts(hostAskedFor(request, hosts.origin))
      // As in `serve()`: some software reads two leading slashes as a host.
      if (source.target.startsWith('//')) light = this.#refused(source, NO_PATH)
      else
        light = isServed ? LightResponse.from(await this.handle(source)) : this.#refused(source, MISDIRECTED)
      return light.toSent()
    } catch (error) {
      // The body was read after the response had been made.
      if (light?.bodyFailed(error) !== true) reportFault(error)
      const message =
        this.#built === null ? 'The application could not start' : 'Something went wrong on our end'
      const lines = this.linesOfRefusal(request.url.startsWith('https:'))
      return refusal({ status: 500, message }, [...lines, 'cache-control', 'no-store']).toNative()
    }
  }

  #refused(source: RequestSource, reason: Refusal): LightResponse {
    const refused = refusal(reason, this.linesOfRefusal(source.secure))
    const sent =
      source.method === 'HEAD' ? new LightResponse(refused.status, null, refused.headerLines()) : refused
    this.reportRefusal(source, sent)
    return sent
  }

  /**
   * Reports a response that an adapter made in place of the application.
   *
   * @param source The request.
   * @param response The response.
   * @internal
   */
  reportRefusal(source: RequestSource, response: LightResponse): void {
    this.#built?.kernel.reportRefusal(source, response)
  }

  // A host passes the same options with every request.
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
   * Answers a request as an adapter received it. The application must have booted.
   *
   * @param source The request.
   * @returns The response, possibly a light one; never throws and never rejects for a booted application.
   * @throws {Error} If the application has not booted.
   * @internal
   */
  handle(source: RequestSource): Response | Promise<Response> {
    return this.#running().kernel.handle(source)
  }

  /**
   * @param source A request that the application does not answer. The application must have booted.
   * @returns Its context.
   * @throws {Error} If the application has not booted.
   * @internal
   */
  contextOf(source: RequestSource): HttpContext {
    return this.#running().kernel.contextOf(source)
  }

  /**
   * Answers a request to leave HTTP, as any other. The application must have booted.
   *
   * @param source The request.
   * @returns The response, and the context for what follows if it is accepted.
   * @throws {Error} If the application has not booted.
   * @internal
   */
  admit(source: RequestSource): { context: HttpContext; response: Response | Promise<Response> } {
    return this.#running().kernel.admit(source)
  }

  /**
   * @param error What went wrong after a request was answered.
   * @param context Context of the request.
   * @internal
   */
  reportFault(error: unknown, context: HttpContext): void {
    this.hooks.report(error, context)
  }

  /**
   * @returns The router.
   * @throws {Error} If the application has not booted.
   */
  router(): Router {
    return this.#running().router
  }

  /**
   * Loads the inspection, which lists, explains and checks the routes. The command `sallyport` uses it too.
   *
   * @returns The inspection.
   * @throws {Error} Rejects if the application has not booted.
   */
  async inspection(): Promise<Inspection> {
    const running = this.#running()
    const { inspectionOf } = await import('./inspection-parts.ts')
    return inspectionOf(running)
  }

  /**
   * @param token A class.
   * @returns Its registered value, otherwise its shared instance.
   * @throws {Error} If the application has not booted.
   * @throws {ContainerException} If it cannot be built.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Clock } from 'sallyport'
   * import { FrozenClock } from 'sallyport/testing'
   *
   * const app = App.default().configure((definitions) =>
   *   definitions.set(Clock, new FrozenClock('2026-01-31')),
   * )
   * await app.boot()
   *
   * assert.equal(app.get(Clock).now().getUTCFullYear(), 2026)
   * ```
   */
  get<T>(token: Token<T>): T {
    return this.#running().container.get(token)
  }

  /**
   * @param isSecure Whether the client's connection is HTTPS.
   * @returns Alternating names and values: the headers of every response, for responses created by an adapter.
   * @internal
   */
  linesOfRefusal(isSecure: boolean): readonly string[] {
    const headers = this.#built === null ? new SecurityHeaders() : this.#built.container.get(SecurityHeaders)
    return headers.linesOfRefusal(isSecure)
  }

  /**
   * Runs the hooks of `onClosing()` and ends open streams, for an adapter that then waits for pending requests.
   *
   * @param milliseconds How long the hooks may take together.
   * @returns One promise for all callers, which never rejects; null if there is nothing to wait for.
   * @internal
   */
  beginClosing(milliseconds: number): Promise<void> | null {
    return this.hooks.closing.begin(milliseconds)
  }

  /**
   * Runs the hooks of `onClosing()` and `onClose()`, once: every call returns the same promise. It waits for a boot in progress. A closed application
   * cannot boot again.
   *
   * @throws {AggregateError} If hooks failed or took too long; `errors` has one error for each, and the message names them.
   */
  close(): Promise<void> {
    return this.hooks.closing.close(this.#booting)
  }

  async #boot(configuration: Configuration): Promise<this> {
    try {
      if (this.hooks.closing.isClosing)
        throw new Error(sentence`Cannot boot: the application has been closed`)
      this.#built = await buildApplication(configuration)
      return this
    } catch (error) {
      await completeMessage(error)
      throw error
    }
  }

  #running(): BuiltApplication {
    if (this.#built === null) throw new Error(sentence`Cannot use the application yet: it has not booted`)
    return this.#built
  }
}

// A host such as Next.js has an address of its own in the URL, and what the client asked for in the header. Where URLs are
// made from that of the request, only it counts.
function hostAskedFor(request: Request, origin: string | null): string {
  return (origin === null ? null : request.headers.get('host')) ?? hostOf(request.url)
}
