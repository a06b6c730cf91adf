import { CookieJar } from 'tough-cookie'
import type { App } from '../app/index.ts'
import { assertOptions, declarationError, shown } from '../core/internal.ts'
import { isBelow } from '../http/internal.ts'
import { multipartBody } from './multipart-body.ts'
import { type FormFieldValue, requestOfForm, urlencoded } from './page-form.ts'

/** A request to send. Set at most one of `form`, `json`, `multipart` and `body`. */
export interface TestRequestOptions {
  /**
   * Request headers. Default: those that the body needs, `content-length` included. Give `transfer-encoding: chunked` to send
   * a body without its length.
   */
  readonly headers?: Readonly<Record<string, string>>
  /** Fields of an urlencoded form; a list repeats its name. */
  readonly form?: Readonly<Record<string, string | readonly string[]>>
  /** Fields and files of a multipart form; a list repeats its name. */
  readonly multipart?: Readonly<Record<string, string | File | readonly (string | File)[]>> | FormData
  /** A value to send as JSON. */
  readonly json?: unknown
  /**
   * A raw body. What is iterated over arrives piece by piece, without a length: an iteration that waits is a slow client, one
   * that throws a client that leaves.
   */
  readonly body?: string | Uint8Array<ArrayBuffer> | AsyncIterable<string | Uint8Array>
  /**
   * Whether redirects are followed, at most 20. A redirect to another origin, or out of the base path of the application, is
   * returned instead of followed. Default: false.
   */
  readonly follow?: boolean
}

/** How {@link TestClient.submit} opens a page and submits its form. */
export interface SubmitOptions extends Pick<TestRequestOptions, 'headers' | 'follow'> {
  /** The `id`, `name` or `action` of the form, as the page writes it. Default: the only form of the page. */
  readonly form?: string
}

/** Options of a {@link TestClient}. */
export interface TestClientOptions {
  /** Scheme and host that the client uses. Default: `http://localhost`. */
  readonly origin?: string
  /** Address of the client as the application sees it. Default: unknown, so limits by client do not work. */
  readonly clientAddress?: string
}

const MAX_REDIRECTS = 20
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const BODY_HEADERS: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
])
const OWN_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie'])

/**
 * A browser without pages: it sends requests to an application in this process and stores cookies. Two clients are two
 * browsers. Paths are those that a browser sees: they begin with the base path of the application, if it has one.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 * import { TestClient } from 'sallyport/testing'
 *
 * class VisitController extends Controller {
 *   static readonly actions = { index: [] }
 *
 *   async index() {
 *     const session = this.context.session()
 *     const visits = ((await session.get<number>('visits')) ?? 0) + 1
 *     await session.set('visits', visits)
 *     return { visits }
 *   }
 * }
 * const app = App.default().modules(defineModule('Site', (module) => module.controllers(VisitController)))
 * const [one, other] = [new TestClient(app), new TestClient(app)]
 *
 * await one.get('/site/visit')
 * assert.deepEqual(await (await one.get('/site/visit')).json(), { visits: 2 })
 * assert.deepEqual(await (await other.get('/site/visit')).json(), { visits: 1 })
 * ```
 */
export class TestClient {
  readonly #app: App
  readonly #origin: string
  readonly #clientAddress: string
  #jar = new CookieJar(undefined, { prefixSecurity: 'strict' })

  /**
   * @param app The application; it boots with the first request.
   * @param options The origin, and the address of the client.
   * @throws {TypeError} If it is not an application, or an option is unknown.
   */
  constructor(app: App, options: TestClientOptions = {}) {
    if (typeof app?.fetch !== 'function')
      throw declarationError(`Cannot test ${shown(app)}: pass an application`)
    assertOptions(options, ['origin', 'clientAddress'], 'a TestClient')
    this.#app = app
    this.#origin = options.origin ?? 'http://localhost'
    this.#clientAddress = options.clientAddress ?? ''
  }

  /**
   * @param path Path and query.
   * @param options The request.
   * @returns The response; with `follow` the last one.
   */
  get(path: string, options?: TestRequestOptions): Promise<Response> {
    return this.request('GET', path, options)
  }

  /**
   * @param path Path and query.
   * @param options The request.
   * @returns The response; with `follow` the last one.
   */
  post(path: string, options?: TestRequestOptions): Promise<Response> {
    return this.request('POST', path, options)
  }

  /**
   * @param method Any method.
   * @param path Path and query.
   * @param options The request.
   * @returns The response; with `follow` the last one.
   * @throws {Error} If there are more than 20 redirects, or one has a malformed target.
   * @throws {RangeError} If the path is outside of the base path of the application.
   * @see Fetch standard, HTTP-redirect fetch
   */
  async request(method: string, path: string, options: TestRequestOptions = {}): Promise<Response> {
    const { response } = await this.#exchange({ method, url: new URL(path, this.#origin), options })
    return response
  }

  /**
   * Opens a page and submits a form of it as a browser does: with its method, its action, its encoding, and what its fields
   * hold, such as the CSRF token. The first button is pressed, or the one that `fields` names with its value.
   *
   * @param path Path and query of the page; redirects to it are followed.
   * @param fields What to fill in, by name; a list for several values, an empty one for none. Any value is sent, also one that
   * a `<select>` does not offer. Default: nothing.
   * @param options Which form, the headers of both requests, and whether redirects are followed after it.
   * @returns The response to the form; with `follow` the last one.
   * @throws {Error} If the page has no form, or several and none is chosen; if the form has no field of a name, leads to
   * another origin, or has the method `dialog`; if there are more than 20 redirects, or one has a malformed target.
   * @throws {RangeError} If the page, or what the form leads to, is outside of the base path of the application.
   * @see HTML standard, form submission algorithm
   */
  async submit(
    path: string,
    fields: Readonly<Record<string, FormFieldValue>> = {},
    options: SubmitOptions = {},
  ): Promise<Response> {
    assertOptions(options, ['form', 'headers', 'follow'], 'submit()')
    const { form: wanted, headers = {}, follow = false } = options
    const opened: Sent = {
      method: 'GET',
      url: new URL(path, this.#origin),
      options: { headers, follow: true },
    }
    const { url: at, response } = await this.#exchange(opened)
    const page = { url: at, status: response.status, html: await response.text() }
    const { method, url, form, isMultipart } = requestOfForm(page, fields, wanted)
    if (method === 'GET') url.search = urlencoded(form)
    const body =
      method === 'GET'
        ? {}
        : isMultipart
          ? { multipart: form }
          : { body: new URLSearchParams(urlencoded(form)) }
    const submitted = await this.#exchange({ method, url, options: { headers, follow, ...body } })
    return submitted.response
  }

  async #exchange(first: Sent): Promise<Received> {
    let sent = first
    let response = await this.#send(sent)
    if (first.options.follow !== true) return { url: sent.url, response }
    for (let hops = 0; ; hops++) {
      const target = redirectTarget(response, sent.url)
      if (target === null || !this.#isOwn(target, sent.url)) return { url: sent.url, response }
      if (hops === MAX_REDIRECTS) throw new Error(`Cannot follow more than ${MAX_REDIRECTS} redirects`)
      await response.body?.cancel()
      sent = redirected(sent, response.status, target)
      response = await this.#send(sent)
    }
  }

  /**
   * @param name Name of a cookie.
   * @param path Path of the request that would send it. Default: the start page, `/` behind the base path.
   * @returns Its value; undefined when the client has none.
   */
  cookie(name: string, path = `${this.#app.basePath}/`): string | undefined {
    const cookies = this.#jar.getCookiesSync(new URL(path, this.#origin).href)
    return cookies.find((cookie) => cookie.key === name)?.value
  }

  /**
   * Stores a cookie as if the application had set it.
   *
   * @param line Value of a `Set-Cookie` header.
   * @throws {Error} If the cookie is invalid.
   */
  setCookie(line: string): void {
    this.#jar.setCookieSync(line, new URL(`${this.#app.basePath}/`, this.#origin).href)
  }

  /** Deletes all cookies. */
  clearCookies(): void {
    this.#jar = new CookieJar(undefined, { prefixSecurity: 'strict' })
  }

  /**
   * @returns A second browser with a copy of the current cookies; later changes are not shared. Use it for a stolen cookie, or
   * for a request that is still on its way. Two tabs of one browser are two requests of one client.
   */
  clone(): TestClient {
    const twin = new TestClient(this.#app, { origin: this.#origin, clientAddress: this.#clientAddress })
    twin.#jar = this.#jar.cloneSync() ?? twin.#jar
    return twin
  }

  get #home(): string {
    return new URL(this.#origin).origin
  }

  #isOwn(target: URL, from: URL): boolean {
    const isHome = target.origin === from.origin || target.origin === this.#home
    return isHome && isBelow(target.pathname, this.#app.basePath)
  }

  async #send({ method, url: { href: url, pathname }, options }: Sent): Promise<Response> {
    const { basePath } = this.#app
    // The application would take it for a path that a proxy has stripped, but no browser comes by it.
    if (!isBelow(pathname, basePath))
      throw new RangeError(
        `Cannot request ${shown(pathname)}: the application is below the base path "${basePath}"; begin the path with it`,
      )
    const headers = new Headers(options.headers)
    const cookies = this.#jar.getCookieStringSync(url)
    if (cookies !== '' && !headers.has('cookie')) headers.set('cookie', cookies)
    const given = bodyOf(options, headers)
    // Only encoding a multipart form takes time: other requests reach the application at once.
    const body = given instanceof FormData ? await encoded(given, headers) : given
    announce(body, method, headers)
    const request = new Request(url, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : bodyInit(body)),
    })
    const response = await this.#app.fetch(request, { clientAddress: this.#clientAddress })
    for (const line of response.headers.getSetCookie())
      this.#jar.setCookieSync(line, url, { ignoreError: true })
    return response
  }
}

interface Received {
  readonly url: URL
  readonly response: Response
}

interface Sent {
  readonly method: string
  readonly url: URL
  readonly options: Omit<TestRequestOptions, 'body'> & { readonly body?: Body }
}

function redirectTarget(response: Response, from: URL): URL | null {
  const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
  if (location === null) return null
  const target = URL.parse(location, from.href)
  if (target === null) throw new Error(`Cannot follow a redirect to ${JSON.stringify(location)}`)
  if (target.hash === '') target.hash = from.hash
  return target
}

function redirected({ method, url, options }: Sent, status: number, target: URL): Sent {
  const upper = method.toUpperCase()
  const becomesGet = status === 303 ? upper !== 'GET' && upper !== 'HEAD' : status < 303 && upper === 'POST'
  const isAway = target.origin !== url.origin
  const headers = Object.entries(options.headers ?? {}).filter(([name]) => {
    const lower = name.toLowerCase()
    return !(becomesGet && BODY_HEADERS.has(lower)) && !(isAway && OWN_HEADERS.has(lower))
  })
  const sent = becomesGet ? {} : options
  return {
    method: becomesGet ? 'GET' : method,
    url: target,
    options: { ...sent, headers: Object.fromEntries(headers) },
  }
}

type Body = TestRequestOptions['body'] | URLSearchParams

function bodyInit(body: NonNullable<Body>): RequestInit {
  if (typeof body === 'string' || !(Symbol.asyncIterator in body)) return { body }
  return { body: ReadableStream.from(bytesOf(body)), duplex: 'half' }
}

async function* bytesOf(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}

async function encoded(form: FormData, headers: Headers): Promise<Uint8Array<ArrayBuffer>> {
  const { type, bytes } = await multipartBody(form)
  if (!headers.has('content-type')) headers.set('content-type', type)
  return bytes
}

// Fetch standard, HTTP-network-or-cache fetch: a POST and a PUT have a length even without a body.
function announce(body: Body, method: string, headers: Headers): void {
  if (headers.has('content-length') || headers.has('transfer-encoding')) return
  const length = lengthOf(body)
  if (length === null || (body === undefined && !/^(?:post|put)$/i.test(method))) return
  headers.set('content-length', String(length))
}

function lengthOf(body: Body): number | null {
  if (body === undefined) return 0
  if (typeof body === 'string' || body instanceof URLSearchParams) return Buffer.byteLength(String(body))
  // A caller without types may pass another body, such as a stream.
  return body instanceof Uint8Array ? body.byteLength : null
}

function bodyOf(options: Sent['options'], headers: Headers): Body | FormData {
  const { form, json, multipart, body } = options
  if (form !== undefined) {
    const pairs = Object.entries(form).flatMap(([name, value]) =>
      [value].flat().map((text): [string, string] => [name, text]),
    )
    return new URLSearchParams(pairs)
  }
  if (json !== undefined) {
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
    return JSON.stringify(json)
  }
  if (multipart instanceof FormData) return multipart
  if (multipart !== undefined) {
    const data = new FormData()
    for (const [name, value] of Object.entries(multipart))
      for (const each of [value].flat()) data.append(name, each)
    return data
  }
  return body
}
