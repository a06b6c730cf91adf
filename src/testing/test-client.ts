import { CookieJar } from 'tough-cookie'
import type { App } from '../app/index.ts'

/** What a test sends. At most one of `form`, `json`, `multipart` and `body`. */
export interface TestRequestOptions {
  /** Request headers. Default: none but those that the body needs. */
  readonly headers?: Readonly<Record<string, string>>
  /** Fields of an urlencoded form; a list repeats its name. */
  readonly form?: Readonly<Record<string, string | readonly string[]>>
  /** Fields and files of a multipart form. */
  readonly multipart?: Readonly<Record<string, string | File>> | FormData
  /** A value to send as JSON. */
  readonly json?: unknown
  /** A body as it is. */
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** Whether redirects on this origin are followed, at most 10. Default: false. */
  readonly follow?: boolean
}

/** Options of a {@link TestClient}. */
export interface TestClientOptions {
  /** Scheme and host that the client uses. Default: `http://localhost`. */
  readonly origin?: string
}

const MOST_REDIRECTS = 10

/**
 * A browser without pages: sends requests to an application in this process and keeps its cookies. Two clients are
 * two browsers.
 */
export class TestClient {
  readonly #app: App
  readonly #origin: string
  #jar = new CookieJar(undefined, { prefixSecurity: 'strict' })

  /**
   * @param app The application; it boots with the first request.
   * @param options The origin.
   */
  constructor(app: App, options: TestClientOptions = {}) {
    this.#app = app
    this.#origin = options.origin ?? 'http://localhost'
  }

  /**
   * @param path Path and query.
   * @param options What is sent.
   * @returns The response; the one after the redirects when they are followed.
   */
  get(path: string, options?: TestRequestOptions): Promise<Response> {
    return this.request('GET', path, options)
  }

  /**
   * @param path Path and query.
   * @param options What is sent.
   * @returns The response; the one after the redirects when they are followed.
   */
  post(path: string, options?: TestRequestOptions): Promise<Response> {
    return this.request('POST', path, options)
  }

  /**
   * @param method Any method.
   * @param path Path and query.
   * @param options What is sent.
   * @returns The response; the one after the redirects when they are followed.
   * @throws {Error} If redirects never end.
   */
  async request(method: string, path: string, options: TestRequestOptions = {}): Promise<Response> {
    const response = await this.#send(method, new URL(path, this.#origin).href, options)
    return options.follow === true ? this.#follow(response, { method, options }) : response
  }

  /**
   * @param name Name of a cookie.
   * @param path Path that it would be sent to. Default: `/`.
   * @returns Its value; undefined when the client has none.
   */
  cookie(name: string, path = '/'): string | undefined {
    const cookies = this.#jar.getCookiesSync(new URL(path, this.#origin).href)
    return cookies.find((cookie) => cookie.key === name)?.value
  }

  /**
   * Takes a cookie as if the application had set it.
   *
   * @param line Value of a `Set-Cookie` header.
   * @throws {Error} If the jar refuses it.
   */
  setCookie(line: string): void {
    this.#jar.setCookieSync(line, this.#origin)
  }

  /** Forgets all cookies. */
  clearCookies(): void {
    this.#jar = new CookieJar(undefined, { prefixSecurity: 'strict' })
  }

  /**
   * @returns Another browser that has the same cookies now; what one of them gets later the other has not. For a stolen
   * cookie, or a request that is still on its way. Two tabs of one browser are two requests of one client.
   */
  clone(): TestClient {
    const twin = new TestClient(this.#app, { origin: this.#origin })
    twin.#jar = this.#jar.cloneSync() ?? twin.#jar
    return twin
  }

  async #send(method: string, url: string, options: TestRequestOptions): Promise<Response> {
    const headers = new Headers(options.headers)
    const cookies = this.#jar.getCookieStringSync(url)
    if (cookies !== '' && !headers.has('cookie')) headers.set('cookie', cookies)
    const body = bodyOf(options, headers)
    const request = new Request(url, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    const response = await this.#app.fetch(request)
    for (const line of response.headers.getSetCookie())
      this.#jar.setCookieSync(line, url, { ignoreError: true })
    return response
  }

  async #follow(first: Response, sent: { method: string; options: TestRequestOptions }): Promise<Response> {
    let response = first
    let { method, options } = sent
    for (let hops = 0; hops < MOST_REDIRECTS; hops++) {
      const location = response.headers.get('location')
      if (location === null || response.status < 300 || response.status > 399) return response
      const url = new URL(location, this.#origin)
      if (url.origin !== new URL(this.#origin).origin) return response
      if (response.status !== 307 && response.status !== 308 && method !== 'HEAD') {
        method = 'GET'
        options = options.headers === undefined ? {} : { headers: options.headers }
      }
      response = await this.#send(method, url.href, options)
    }
    throw new Error(`The redirects do not end after ${MOST_REDIRECTS}`)
  }
}

function bodyOf(
  options: TestRequestOptions,
  headers: Headers,
): string | FormData | Uint8Array<ArrayBuffer> | URLSearchParams | undefined {
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
    for (const [name, value] of Object.entries(multipart)) data.append(name, value)
    return data
  }
  return body
}
