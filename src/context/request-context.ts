import { type Ending, following, ignoreFailure, randomBytes, sentence, whenReady } from '../core/internal.ts'
import { Authorization, Cookies, type HttpException, PayloadTooLargeException } from '../http/index.ts'
import { FetchSource, type RequestSource } from '../http/internal.ts'
import type { Form } from '../input/index.ts'
import { isForm, isMultipart, type MultipartReader } from '../input/internal.ts'
import type { ContextServices } from './context-services.ts'
import type { BodyLimitsOfRoute } from '../routing/internal.ts'
import { formReading, partReading } from './late-forms.ts'
import { pathOf, queryOf } from './request-target.ts'

/** The request part of a context, parsed on demand, and the cookies of its response. */
export abstract class RequestContext {
  /** The exception that the response was made from; null when there was none. @internal */
  failure: HttpException | null = null
  readonly #services: ContextServices
  readonly #received: RequestSource
  #source: RequestSource
  #method: string
  // The method before an override; null when there was none.
  #overridden: string | null = null
  #path: string
  #query: string
  #segments: readonly string[] | null = null
  #cookies: Cookies | null = null
  #isAnswered = false
  #form: Form | null | Promise<Form | null> | undefined = undefined
  // Whether a form in parts is read part by part: an action that takes files may answer.
  #isStreamed = false
  #parts: MultipartReader | null = null
  #authorization: Authorization | null | undefined = undefined
  #id: string | null = null
  #signal: AbortSignal | null = null
  #ending: AbortController | null = null

  /**
   * @param source The request as the adapter received it.
   * @param services What the context needs from its application.
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
   * @returns The platform's request. Its body can be read even after the framework has read it.
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
   * @returns The method as the client sent it, regardless of overrides and replaced requests.
   * @internal
   */
  sentMethod(): string {
    return this.#received.method
  }

  /**
   * @returns The path as the browser sees it, percent-encoded, with the base path of the application.
   */
  path(): string {
    return this.#path
  }

  /** The path of the host below which the application is; empty when it has the whole host. */
  get basePath(): string {
    return this.#services.router.basePath
  }

  /**
   * @returns The path as the client sent it, even if a middleware has replaced the request.
   * @internal
   */
  receivedPath(): string {
    return pathOf(this.#received.target)
  }

  /**
   * The segments of the path behind the base path, as the router sees them: decoded, without a trailing slash. An encoded
   * slash is part of its segment. Base decisions on these or on `under()`, never on `path()`.
   *
   * @returns The segments; empty for `/` and for a path that no route can match: a malformed one, or one with empty segments
   * or dot segments.
   */
  segments(): readonly string[] {
    return (this.#segments ??= this.#services.router.segmentsOf(this.#path))
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
   * @returns Whether the client's connection is HTTPS, according to trusted proxies.
   */
  isSecure(): boolean {
    return this.#received.secure
  }

  /**
   * @returns Scheme and host of this server as the client sees them, such as `https://app.test`. Without the option `origin`
   * or `hosts` of the adapter, the client chooses the host.
   */
  origin(): string {
    return this.#received.origin
  }

  /**
   * @returns Normalized address of the client, according to trusted proxies. Empty when the adapter knows none; limits by
   * client are impossible then.
   */
  clientAddress(): string {
    return this.#received.clientAddress
  }

  /**
   * Aborts when the client disconnects before the response is complete, when the time limit of the action
   * (`handlerMilliseconds`) is over, or when an event stream ends. Pass it to long operations such as `fetch()`, a query or
   * a timer.
   */
  get signal(): AbortSignal {
    if (this.#signal === null) {
      this.#ending ??= new AbortController()
      this.#signal = following(this.#ending, this.#received.signal)
    }
    return this.#signal
  }

  /**
   * @returns A random identifier of this request for logs and error pages: 16 characters.
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
      const path = this.basePath || '/'
      this.#cookies = new Cookies(this.#source.header('cookie'), this.isSecure(), path)
      if (this.#isAnswered) this.#cookies.seal()
    }
    return this.#cookies
  }

  /**
   * Parses the body when it is an HTML form. Later calls return the same form.
   *
   * @returns The form; null when the body is something else.
   * @throws {PayloadTooLargeException} If the body or the number of fields is over its limit.
   * @throws {InputException} If a multipart body is malformed, or a string is not valid UTF-8.
   * @throws {UnsupportedMediaTypeException} If the body is compressed, or declared to have another charset than UTF-8.
   * @throws {ForbiddenException} If the identity of the session ended while the body arrived; only the first call.
   * @throws {ServiceUnavailableException} If it had to be asked for again and the session store fails.
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
      return ignoreFailure(Promise.resolve(this.readForm()))
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
   * @returns The current request: the one that the adapter received, or the one that a middleware passed on.
   * @internal
   */
  source(): RequestSource {
    return this.#source
  }

  /**
   * @returns The request that the adapter received, even if a middleware has replaced it.
   * @internal
   */
  received(): RequestSource {
    return this.#received
  }

  /**
   * @returns As `form()`, but without a promise when the body is already available.
   * @internal
   */
  readForm(): Form | null | Promise<Form | null> {
    if (this.#form === undefined) {
      const form = this.#parseForm()
      this.#form = form instanceof Promise ? ignoreFailure(form) : form
    }
    return this.#form
  }

  /**
   * Limits the body of the request. Only a form in parts whose files are streamed may be larger than what is kept in memory;
   * whatever else a client sends to the same URL is kept.
   *
   * @param limits The limits.
   * @throws {PayloadTooLargeException} If the body is known to be larger.
   * @internal
   */
  limitBody(limits: BodyLimitsOfRoute): void {
    const fits = this.#limit(this.#received, limits)
    if (this.#source !== this.#received && !this.#limit(this.#source, limits))
      throw new PayloadTooLargeException()
    if (!fits) throw new PayloadTooLargeException()
  }

  /**
   * Has a form in parts read part by part: `form()` then has the strings before the first file.
   *
   * @internal
   */
  streamForm(): void {
    this.#isStreamed = true
  }

  /**
   * Has the form read as a whole: an action without files answers.
   *
   * @internal
   */
  gatherForm(): void {
    this.#isStreamed = false
    if (this.#parts !== null) this.#form = undefined
  }

  /** Whether `form()` has the strings before the first file only. @internal */
  get isFormStreamed(): boolean {
    return this.#isStreamed
  }

  /**
   * @returns What reads the form part by part, the same on each call; a promise of it while the code for it is loaded.
   * @throws {InputException} If the form has no boundary.
   * @throws {UnsupportedMediaTypeException} If the body is compressed, or declared to have another charset than UTF-8.
   * @internal
   */
  formParts(): MultipartReader | Promise<MultipartReader> {
    return whenReady(
      partReading(),
      (reading) => (this.#parts ??= reading.MultipartReader.of(this.#source, this.#services.limits)),
    )
  }

  /** Whether the response has been made; headers and cookies are refused from then on. @internal */
  get isAnswered(): boolean {
    return this.#isAnswered
  }

  /** Marks the response as made. @internal */
  answer(): void {
    this.#isAnswered = true
    if (this.#cookies !== null) this.#cookies.seal()
  }

  /** @returns The cookies, if they were accessed. @internal */
  openedCookies(): Cookies | null {
    return this.#cookies
  }

  /** Begins when the application closes and open streams must end. @internal */
  get closing(): Ending {
    return this.#services.closing
  }

  /**
   * Aborts the signal.
   *
   * @param reason Why: the time limit of the action is over, or the event stream has ended.
   * @internal
   */
  endTime(reason: unknown): void {
    this.#ending ??= new AbortController()
    this.#ending.abort(reason)
  }

  /**
   * Continues with another request: its method, path, query, headers and body. Everything tied to the client stays: address,
   * scheme, host, signal, session, identity, and cookies that were set. A method override stays while the new request has
   * the method that was overridden, because it was then derived from the first one.
   *
   * @param request Replaces the current request.
   * @throws {TypeError} If it is not a request.
   * @internal
   */
  replaceRequest(request: Request): void {
    if (typeof request?.url !== 'string' || typeof request.method !== 'string')
      throw new TypeError(
        sentence`Cannot continue with a value that is not a request: pass a Request to next(), or nothing`,
      )
    const { clientAddress } = this.#received
    const { bodyLimit, keptLimit = Infinity } = this.#source
    const source = new FetchSource(request, { bodyBytes: bodyLimit }, { clientAddress })
    source.keptLimit = keptLimit
    this.#source = source
    if (request.method !== this.#overridden) {
      this.#method = request.method
      this.#overridden = null
    }
    this.#cookies?.readFrom(this.#source.header('cookie'))
    this.#path = pathOf(this.#source.target)
    this.#query = queryOf(this.#source.target)
    this.#segments = null
    this.#form = undefined
    this.#parts = null
    this.#authorization = undefined
  }

  #limit(source: RequestSource, { bytes, keptBytes, milliseconds }: BodyLimitsOfRoute): boolean {
    const isStreamed = this.#isStreamed && isMultipart(source.header('content-type'))
    source.bodyLimit = isStreamed ? bytes : keptBytes
    source.keptLimit = keptBytes
    source.takesFiles = isStreamed
    source.bodyMilliseconds = milliseconds
    return (source.bodyLength ?? 0) <= source.bodyLimit
  }

  #parseForm(): Form | null | Promise<Form | null> {
    const type = this.#source.header('content-type')
    if (!isForm(type)) return null
    // The route may change it before the code for it is loaded.
    const isStreamed = this.#isStreamed && isMultipart(type)
    if (isStreamed)
      return whenReady(partReading(), ({ leadingForm }) => whenReady(this.formParts(), leadingForm))
    return whenReady(formReading(), ({ parseForm }): Form | null | Promise<Form | null> => {
      const parts = this.#parts
      if (parts === null) return parseForm(this.#source, this.#services.limits)
      return whenReady(partReading(), ({ wholeForm }) => wholeForm(parts))
    })
  }
}
