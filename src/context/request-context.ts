import { ignoreFailure, randomBytes } from '../core/internal.ts'
import { Authorization, Cookies } from '../http/index.ts'
import { FetchSource, type RequestSource } from '../http/internal.ts'
import type { Form } from '../input/index.ts'
import { parseForm } from '../input/internal.ts'
import type { ContextServices } from './context-services.ts'
import { segmentsOf } from '../routing/internal.ts'
import { pathOf, queryOf } from './request-target.ts'

/** What was sent: the request of a context, read piece by piece, and the cookies that answer it. */
export abstract class RequestContext {
  readonly #services: ContextServices
  readonly #received: RequestSource
  #source: RequestSource
  #method: string
  // What the method override replaced; null: nothing.
  #overridden: string | null = null
  #path: string
  #query: string
  #segments: readonly string[] | null = null
  #cookies: Cookies | null = null
  #isAnswered = false
  #form: Form | null | Promise<Form | null> | undefined = undefined
  #authorization: Authorization | null | undefined = undefined
  #id: string | null = null
  #signal: AbortSignal | null = null
  #ending: AbortController | null = null

  /**
   * @param source The request as the adapter received it.
   * @param services What the context needs of its application.
   */
  constructor(source: RequestSource, services: ContextServices) {
    this.#received = source
    this.#source = source
    this.#services = services
    this.#method = source.method
    this.#path = pathOf(source.target)
    this.#query = queryOf(source.target)
  }

  /**
   * @returns The platform's request; its body can be read although the framework read it.
   */
  request(): Request {
    return this.#source.request()
  }

  /**
   * @returns The effective method, in upper case: after method override, the overriding one.
   */
  method(): string {
    return this.#method
  }

  /**
   * @returns The method as the client sent it, whatever it stands for and whatever took the place of the request.
   * @internal
   */
  sentMethod(): string {
    return this.#received.method
  }

  /**
   * @returns The path as sent, percent-encoded.
   */
  path(): string {
    return this.#path
  }

  /**
   * The segments of the path as the router sees them: decoded, without the slash at the end, an encoded slash being part
   * of its segment. A decision by path is made by these or by `under()`, never by `path()`.
   *
   * @returns The segments; none for `/`, and none for a path that no route answers: a malformed one, or one with empty
   * segments or dot segments.
   */
  segments(): readonly string[] {
    return (this.#segments ??= segmentsOf(this.#path))
  }

  /**
   * @returns The query as sent, without its question mark; empty when there is none.
   */
  query(): string {
    return this.#query
  }

  /**
   * @param name Name of a request header, in any letter case.
   * @returns Its value; null when it was not sent.
   */
  header(name: string): string | null {
    return this.#source.header(name.toLowerCase())
  }

  /**
   * @returns Whether the client's connection is HTTPS, as far as trusted proxies say.
   */
  isSecure(): boolean {
    return this.#received.secure
  }

  /**
   * @returns Scheme and host of this server as the client sees them, such as `https://app.test`. Without an `origin` or
   * `hosts` of the adapter it is the client's word: whoever asks can choose it.
   */
  origin(): string {
    return this.#received.origin
  }

  /**
   * @returns Address of the client in its one spelling, as far as trusted proxies say. Empty when the adapter knows none:
   * then no limit can be counted by client.
   */
  clientAddress(): string {
    return this.#received.clientAddress
  }

  /**
   * Aborts when the client has gone before it was answered, or when the time of the action (`handlerMilliseconds`) is
   * over: hand it to what takes long, such as `fetch()`, a query, a timer.
   */
  get signal(): AbortSignal {
    this.#signal ??= this.#makeSignal()
    return this.#signal
  }

  /**
   * @returns An identifier of this request for logs and error pages: 16 characters, random.
   */
  id(): string {
    this.#id ??= randomBytes(12).toString('base64url')
    return this.#id
  }

  /**
   * @returns Cookies of the request, and the ones that the response sets.
   */
  cookies(): Cookies {
    if (this.#cookies === null) {
      this.#cookies = new Cookies(this.#source.header('cookie'), this.isSecure())
      if (this.#isAnswered) this.#cookies.seal()
    }
    return this.#cookies
  }

  /**
   * Reads the body when it is an HTML form, once: later calls give the same form.
   *
   * @returns The form; null when the body is something else.
   * @throws {PayloadTooLargeException} If the body or the number of fields is over its limit.
   * @throws {InputException} If a multipart body cannot be read.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Controller, defineModule } from 'sallyport'
   * import { TestClient } from 'sallyport/testing'
   *
   * class AvatarController extends Controller {
   *   static readonly actions = { indexPost: [] }
   *
   *   async indexPost() {
   *     const form = await this.context.form()
   *     const picture = form?.all('picture')[0]
   *     return { name: form?.text('name'), bytes: picture instanceof File ? picture.size : 0 }
   *   }
   * }
   * const client = new TestClient(
   *   App.default().modules(defineModule('Site', (module) => module.controllers(AvatarController))),
   * )
   * const picture = new File(['not a picture'], 'ada.png', { type: 'image/png' })
   *
   * const answer = await client.post('/site/avatar', { multipart: { name: 'Ada', picture } })
   * assert.deepEqual(await answer.json(), { name: 'Ada', bytes: 13 })
   * ```
   */
  form(): Promise<Form | null> {
    try {
      return Promise.resolve(this.readForm())
    } catch (error) {
      return ignoreFailure(Promise.reject(error))
    }
  }

  /**
   * @returns Credentials of the `Authorization` header, parsed once; null when absent or malformed.
   */
  authorization(): Authorization | null {
    if (this.#authorization === undefined)
      this.#authorization = Authorization.parse(this.#source.header('authorization'))
    return this.#authorization
  }

  /**
   * Changes the effective method before routing.
   *
   * @param method PUT, PATCH or DELETE.
   * @internal
   */
  overrideMethod(method: string): void {
    this.#overridden = this.#source.method
    this.#method = method
  }

  /**
   * @returns The request as it is read: the one that the adapter received, or what a middleware handed on.
   * @internal
   */
  source(): RequestSource {
    return this.#source
  }

  /**
   * @returns The request that the adapter received, whatever a middleware handed on since.
   * @internal
   */
  received(): RequestSource {
    return this.#received
  }

  /**
   * @returns As `form()`, and without a promise where the body is here already.
   * @internal
   */
  readForm(): Form | null | Promise<Form | null> {
    if (this.#form === undefined) {
      const form = parseForm(this.#source, this.#services.limits)
      this.#form = form instanceof Promise ? ignoreFailure(form) : form
    }
    return this.#form
  }

  /** Whether the response has been made: what would go with it is refused from then on. @internal */
  get isAnswered(): boolean {
    return this.#isAnswered
  }

  /** Notes that the response has been made. @internal */
  answer(): void {
    this.#isAnswered = true
    if (this.#cookies !== null) this.#cookies.seal()
  }

  /** @returns The cookies, when somebody asked for them. @internal */
  openedCookies(): Cookies | null {
    return this.#cookies
  }

  /**
   * @param reason Why the time of the action is over.
   * @internal
   */
  endTime(reason: unknown): void {
    this.#ending ??= new AbortController()
    this.#ending.abort(reason)
  }

  /**
   * Goes on with another request: its method, path, query, headers and body. What is the client's stays: address, scheme,
   * host, signal, session, identity, and the cookies that were set. So does a method override, as long as the other
   * request has the method that was overridden: it was made from the first one then.
   *
   * @param request Takes the place of the current one.
   * @throws {TypeError} If it is no request.
   * @internal
   */
  replaceRequest(request: Request): void {
    if (typeof request?.url !== 'string' || typeof request.method !== 'string')
      throw new TypeError('Cannot go on with something that is no request: give next() a Request, or nothing')
    const { clientAddress } = this.#received
    this.#source = new FetchSource(request, this.#services.limits, { clientAddress })
    if (request.method !== this.#overridden) {
      this.#method = request.method
      this.#overridden = null
    }
    this.#cookies?.readFrom(this.#source.header('cookie'))
    this.#path = pathOf(this.#source.target)
    this.#query = queryOf(this.#source.target)
    this.#segments = null
    this.#form = undefined
    this.#authorization = undefined
  }

  #makeSignal(): AbortSignal {
    const { signal } = this.#received
    if (this.#services.limits.handlerMilliseconds === Infinity) return signal
    this.#ending ??= new AbortController()
    return AbortSignal.any([signal, this.#ending.signal])
  }
}
