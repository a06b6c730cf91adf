import { Authentication } from '../auth/internal.ts'
import { randomBytes, sentence, whenReady } from '../core/internal.ts'
import type { Csrf } from '../csrf/index.ts'
import { findCookie, findCookies, type RequestSource } from '../http/internal.ts'
import type { MiddlewareClass } from '../http/index.ts'
import type { Form } from '../input/index.ts'
import type { Route, RouteArguments, RouteName, UrlParams, ControllerClass } from '../routing/index.ts'
import type { ActionArguments, MemberName, PathPrefix, UncheckedUrls } from '../routing/internal.ts'
import type { RequestSession } from '../session/internal.ts'
import type { Session } from '../session/index.ts'
import { confirmIdentity, whileArriving } from './confirm-identity.ts'
import type { ContextServices } from './context-services.ts'
import type { Flash } from './flash.ts'
import { existing } from './late-sessions.ts'
import { RequestContext } from './request-context.ts'

/**
 * Everything that belongs to one request. Its parts are created on first use: a request that never uses its session has none.
 */
export class HttpContext extends RequestContext {
  readonly #services: ContextServices<HttpContext>
  #auth: Authentication | null = null
  #session: RequestSession | null = null
  #csrf: Csrf | null = null
  #flash: Flash | null = null
  #route: Route | null = null
  #locale: string | null = null
  #negotiated: string | null = null
  #entered: MiddlewareClass[] | null = null
  #nonce: string | null = null
  /** Whether what is served is the same for every client that receives it. @internal */
  isShared = false
  // Known when the session is opened.
  #sendsSession = false
  #faults: object[] | null = null

  /**
   * @param source The request as the adapter received it.
   * @param services What the context needs from its application.
   */
  constructor(source: RequestSource, services: ContextServices<HttpContext>) {
    super(source, services)
    this.#services = services
  }

  /**
   * @returns Principal and permissions of this request.
   */
  auth(): Authentication {
    this.#auth ??= new Authentication()
    return this.#auth
  }

  /**
   * @returns The session. Reading it without a session cookie accesses no storage and sends no cookie.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Controller, defineModule } from 'sallyport'
   * import { TestClient } from 'sallyport/testing'
   *
   * class ThemeController extends Controller {
   *   static readonly actions = { index: [], darkPost: [] }
   *
   *   async index() {
   *     return { theme: (await this.context.session().get<string>('theme')) ?? 'light' }
   *   }
   *
   *   async darkPost() {
   *     await this.context.session().set('theme', 'dark')
   *   }
   * }
   * const client = new TestClient(
   *   App.default().modules(defineModule('Site', (module) => module.controllers(ThemeController))),
   * )
   *
   * await client.post('/site/theme/dark')
   * assert.deepEqual(await (await client.get('/site/theme')).json(), { theme: 'dark' })
   * ```
   */
  session(): Session {
    return this.#requestSession()
  }

  /**
   * @returns The CSRF tokens of the session.
   */
  csrf(): Csrf {
    if (this.#csrf === null) {
      const session = this.#requestSession()
      this.#csrf = new (existing(this.#services.sessions).parts.Csrf)(session, session)
    }
    return this.#csrf
  }

  /**
   * @returns Messages for the next page.
   */
  flash(): Flash {
    this.#flash ??= new (existing(this.#services.sessions).parts.Flash)(this.#requestSession(), this)
    return this.#flash
  }

  /**
   * @returns The matched route.
   * @throws {Error} If the request has not been routed yet.
   */
  route(): Route {
    if (this.#route === null)
      throw new Error(sentence`Cannot return the route: the request has not been routed yet`)
    return this.#route
  }

  /**
   * @returns Whether the request has been routed.
   */
  hasRoute(): boolean {
    return this.#route !== null
  }

  /**
   * @returns The first available of: locale of the route, or of the prefix of a URL without a route; locale set by
   * `useLocale()`, best match for `Accept-Language`, default locale. The tag is spelled as it was declared.
   */
  locale(): string {
    const set = this.#imposedLocale() ?? this.#locale
    if (set !== null) return set
    this.#negotiated ??= this.#services.locales.negotiate(this.header('accept-language'))
    return this.#negotiated
  }

  /**
   * @returns Whether the route, the prefix of the URL or a middleware set the locale.
   */
  hasLocale(): boolean {
    return this.#locale !== null || this.#imposedLocale() !== null
  }

  /** Names of which templates never see the data. @internal */
  get shadowedNames(): ReadonlySet<string> {
    return this.#services.shadowedNames
  }

  /**
   * @param prefix Prefix of paths.
   * @returns Whether the router treats the path as one under the prefix, in any spelling.
   * @internal
   */
  isUnder(prefix: PathPrefix): boolean {
    return this.#services.router.isUnder(this.path(), prefix)
  }

  /**
   * @param tag A language tag in any letter case.
   * @returns The matching locale as it was declared; undefined when there is none.
   */
  declaredLocale(tag: string): string | undefined {
    return this.#services.locales.find(tag)
  }

  /**
   * Sets the locale of the request. The locale of the route and of the prefix of the URL take precedence.
   *
   * @param locale A declared locale; any other value selects the default.
   * @throws {TypeError} If it is not a string.
   */
  useLocale(locale: string): void {
    this.#locale = this.#services.locales.find(locale) ?? this.#services.locales.default
  }

  /**
   * @param name Name of a route, qualified by its module: `shop:product`.
   * @param paramsAndLocale Values of its placeholders; further values become the query. Then the locale. Default: the
   * locale of the request.
   * @returns A path that matches the route without a redirect.
   * @throws {RoutingException} If it cannot be generated: `invalid-parameter` where a value has no URL, such as `..`. The
   * request ends in a 500 then, so do not let such a value in.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Controller, defineModule } from 'sallyport'
   * import { type Actions, param } from 'sallyport/routing'
   * import { TestClient } from 'sallyport/testing'
   *
   * class ProductController extends Controller {
   *   static readonly actions = {
   *     index: [],
   *     show: [param.string('slug')],
   *   } satisfies Actions<ProductController>
   *
   *   index() {
   *     // `size` is not a placeholder, so it becomes the query.
   *     return { first: this.context.url('shop:product', { slug: 'green tea', size: 'xl' }) }
   *   }
   *
   *   show(slug: string) {
   *     return { slug }
   *   }
   * }
   * const shop = defineModule('Shop', (module) =>
   *   module
   *     .controllers(ProductController)
   *     .routes((routes) => routes.get('/{slug}/details', [ProductController, 'show']).name('product')),
   * )
   *
   * const list = await new TestClient(App.default().modules(shop)).get('/shop/product')
   * assert.deepEqual(await list.json(), { first: '/shop/green%20tea/details?size=xl' })
   * ```
   */
  url<N extends RouteName>(name: N, ...paramsAndLocale: RouteArguments<N>): string
  url(name: string, params?: UrlParams, locale = this.locale()): string {
    return (this.#services.router as UncheckedUrls).url(name, params, locale)
  }

  /**
   * @param handler Controller class and name of the action as declared.
   * @param rest Arguments of the action (default: none), then the locale (default: the locale of the request).
   * @returns The conventional path of the action.
   * @throws {RoutingException} If it cannot be generated.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Controller, defineModule } from 'sallyport'
   * import { type Actions, param } from 'sallyport/routing'
   * import { TestClient } from 'sallyport/testing'
   *
   * class NoteController extends Controller {
   *   static readonly actions = { index: [], show: [param.int('id')] } satisfies Actions<NoteController>
   *
   *   index(): { first: string } {
   *     return { first: this.context.urlFor([NoteController, 'show'], [1]) }
   *   }
   *
   *   show(id: number) {
   *     return { id }
   *   }
   * }
   * const notes = defineModule('Notes', (module) => module.controllers(NoteController))
   *
   * const list = await new TestClient(App.default().modules(notes)).get('/notes/note')
   * assert.deepEqual(await list.json(), { first: '/notes/note/show/1' })
   * ```
   */
  urlFor<C extends ControllerClass, M extends MemberName<C>>(
    handler: readonly [C, M],
    ...rest: ActionArguments<C, M>
  ): string {
    const [args, locale = this.locale()] = rest
    return this.#services.router.urlFor(handler, ...([args, locale] as unknown[] as typeof rest))
  }

  /**
   * @returns Class names of the middlewares that have been entered, in order.
   */
  middlewares(): readonly string[] {
    return this.#entered?.map((middleware) => middleware.name) ?? []
  }

  /**
   * @param middleware A middleware class.
   * @returns Whether it was entered. Other classes with the same name and subclasses do not count.
   */
  hasMiddleware(middleware: MiddlewareClass): boolean {
    return this.#entered?.includes(middleware) ?? false
  }

  /**
   * @returns The nonce for scripts of this page; the call adds it to the page's policy.
   */
  cspNonce(): string {
    this.#nonce ??= randomBytes(16).toString('base64url')
    return this.#nonce
  }

  /** @returns Whether the response may hold a CSRF token. @internal */
  hasIssuedToken(): boolean {
    return this.#csrf?.hasIssued === true
  }

  /** @returns As in the base class. A `ForbiddenException` if the identity has ended while the body arrived. @internal */
  override readForm(): Form | null | Promise<Form | null> {
    return whenReady(whileArriving(super.readForm(), this), (form) => {
      // The rest of the body may still be on its way. Who was told once can read the form, to show it again.
      if (form === null || this.isFormStreamed || this.#session?.isEnded === true) return form
      return whenReady(this.confirmIdentity(), () => form)
    })
  }

  /** @returns A promise that settles when the session of a signed-in user is read; it never rejects. @internal */
  readSessionAhead(): Promise<void> {
    return this.#services.sessions === null ? Promise.resolve() : this.#requestSession().stored.readAhead()
  }

  /** @returns True unless the identity ended while the body arrived, which is a `ForbiddenException`. @internal */
  confirmIdentity(): true | Promise<true> {
    return confirmIdentity(this.#session, this.#auth)
  }

  /** @returns The session, if it was accessed. @internal */
  openedSession(): RequestSession | null {
    return this.#session
  }

  /** @returns A promise that settles when messages whose promise was not awaited are kept; null when there are none. @internal */
  pendingFlash(): Promise<unknown> | null {
    return this.#flash === null ? null : this.#flash.pending()
  }

  /** @returns Whether a principal is established; does not create an authentication. @internal */
  isSignedIn(): boolean {
    return this.#auth !== null && this.#auth.isAuthenticated()
  }

  /** @returns Whether the response depends on `Accept-Language`. @internal */
  variesByLanguage(): boolean {
    return this.#negotiated !== null && this.#services.locales.declared.length > 1
  }

  /** Whether anybody may receive what is served: it is the same for all, and this client sent no session. @internal */
  get isForAnybody(): boolean {
    return this.isShared && !this.#sendsSession
  }

  /** @returns The nonce, if it was accessed. @internal */
  openedNonce(): string | null {
    return this.#nonce
  }

  /**
   * @param fault What was thrown.
   * @returns Whether this request has not reported it yet, because one error may reach the framework on several paths. A value
   * that is not an object has no identity and always counts as new.
   * @internal
   */
  isNewFault(fault: unknown): boolean {
    if (typeof fault !== 'object' || fault === null) return true
    this.#faults ??= []
    if (this.#faults.includes(fault)) return false
    this.#faults.push(fault)
    return true
  }

  /**
   * @param fault An unexpected error of this request, after its response has been made.
   * @internal
   */
  reportFault(fault: unknown): void {
    if (this.isNewFault(fault)) this.#services.report(fault, this)
  }

  /**
   * @param middleware Class of the middleware.
   * @internal
   */
  enter(middleware: MiddlewareClass): void {
    this.#entered ??= []
    this.#entered.push(middleware)
  }

  /**
   * @param route The matched route.
   * @internal
   */
  routeTo(route: Route): void {
    this.#route = route
  }

  /**
   * @param request Replaces the current request.
   * @throws {TypeError} If it is not a request.
   * @internal
   */
  override replaceRequest(request: Request): void {
    super.replaceRequest(request)
    this.#negotiated = null
  }

  // What the URL says: the route that it leads to, or the locale that it begins with where nothing answers.
  #imposedLocale(): string | null {
    return this.#route === null ? this.#services.router.localeOf(this.path()) : this.#route.locale
  }

  #requestSession(): RequestSession {
    if (this.#session === null) {
      const { parts, services } = existing(this.#services.sessions)
      const name = services.policy.cookieNameAt(this.origin())
      const header = this.header('cookie') ?? ''
      const sent = findCookie(header, name)
      const duplicates = sent === undefined ? findCookies(header, name) : []
      this.#sendsSession = sent !== undefined || duplicates.length > 0
      this.#session = new parts.RequestSession(services, sent, {
        duplicates,
        arrival: this.received(),
      })
      if (this.isAnswered) this.#session.seal()
    }
    return this.#session
  }
}
