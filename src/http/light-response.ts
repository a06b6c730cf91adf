import { ignoreFailure } from '../core/internal.ts'
import { watchBody } from './body-stream.ts'
import { connectionOptions, withoutConnection } from './connection-fields.ts'
import { isAscii, isHeaderValue } from './header-value.ts'
import { bodyStream, PlatformResponse } from './platform-response.ts'

/** What a light response carries: text, bytes, a stream, or nothing. */
export type Payload = string | Uint8Array | ReadableStream<Uint8Array> | null

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * A response that an adapter can write as it is. It stands in for the platform's `Response` (`instanceof` holds, all
 * members work), which is built only when somebody asks for what it alone can do: building one for each request
 * costs more than the rest of a small request. `App.fetch()` never lets one out.
 */
export class LightResponse {
  /** Status code. */
  readonly status: number
  /** Body as it was given. */
  readonly payload: Payload
  /** Whether the body is a text that is known to be ASCII; whoever measured it may say so. Default: false. */
  isAsciiText = false
  readonly #lines: string[]
  #isAscii = true
  #headers: Headers | null = null
  #native: Response | null = null
  #taker: object | null = null
  #onBodyFault: ((fault: unknown) => void) | null = null

  /**
   * @param status Status code.
   * @param payload Body; null for none.
   * @param lines Names in lower case and values by turns; the array is taken over.
   */
  constructor(status: number, payload: Payload, lines: string[]) {
    this.status = status
    this.payload = payload
    this.#lines = lines
  }

  /**
   * Takes over a response of any implementation, so that headers can be added to it.
   *
   * @param response Any response.
   * @returns The response itself when it is a light one already.
   * @throws {TypeError} If a header of another implementation's response cannot be sent.
   */
  static from(response: Response): LightResponse {
    if (#lines in response) return response
    const lines: string[] = []
    const isForeign = !(response instanceof PlatformResponse)
    for (const [name, value] of response.headers) {
      // What the platform's class lets in has been judged by it.
      if (isForeign) assertHeader(name, value)
      lines.push(isForeign ? name.toLowerCase() : name, value)
    }
    const body = bodyStream(response)
    if (!hasNoContent(response.status)) return new LightResponse(response.status, body, sentLines(lines))
    // The platform's class has none here; other implementations may.
    body?.cancel().catch(() => undefined)
    return new LightResponse(response.status, null, sentLines(lines))
  }

  /**
   * Adds a header line, beside others of that name.
   *
   * @param name Name in lower case.
   * @param value Value.
   * @throws {TypeError} If the name or value cannot stand in a header.
   */
  append(name: string, value: string): void {
    assertHeader(name, value)
    if (this.#isAscii && !isAscii(value)) this.#isAscii = false
    if (this.#headers === null) this.#lines.push(name, value)
    else this.#headers.append(name, value)
  }

  /**
   * Adds a header of the framework's own unless there is one of that name; nothing is checked.
   *
   * @param name Name in lower case.
   * @param value A constant, or a value made of checked parts.
   */
  setConstant(name: string, value: string): void {
    if (this.header(name) !== null) return
    if (this.#headers === null) this.#lines.push(name, value)
    else this.#headers.append(name, value)
  }

  /**
   * Adds a header unless there is one of that name.
   *
   * @param name Name in lower case.
   * @param value Value.
   * @throws {TypeError} If the name or value cannot stand in a header.
   */
  setDefault(name: string, value: string): void {
    if (this.header(name) === null) this.append(name, value)
  }

  /**
   * @param name Name of a header, in lower case.
   * @returns Its first value; null when it is not set.
   */
  header(name: string): string | null {
    if (this.#headers !== null) return this.#headers.get(name)
    const lines = this.#lines
    for (let i = 0; i < lines.length; i += 2) if (lines[i] === name) return lines[i + 1] ?? null
    return null
  }

  /**
   * @returns The cookies it sets, one `Set-Cookie` value for each.
   */
  cookieLines(): string[] {
    if (this.#headers !== null) return this.#headers.getSetCookie()
    return this.#lines.filter((_, i) => i % 2 === 1 && this.#lines[i - 1] === 'set-cookie')
  }

  /**
   * Whether every header value that was not a constant is ASCII. Others go out as Latin-1, an octet for a character (RFC
   * 9110 section 5.5), which an adapter must see to where it writes head and body as one text.
   */
  get hasAsciiHeaders(): boolean {
    if (!this.#isAscii) return false
    const headers = this.#headers ?? this.#native?.headers
    if (headers === undefined) return true
    for (const [, value] of headers) if (!isAscii(value)) return false
    return true
  }

  /**
   * @returns Names and values by turns, ready for `writeHead`.
   */
  headerLines(): string[] {
    const headers = this.#headers ?? this.#native?.headers
    if (headers === undefined) return this.#lines
    const lines: string[] = []
    for (const [name, value] of headers) lines.push(name, value)
    return lines
  }

  /**
   * @returns The platform's response, the same one at each call.
   */
  toNative(): Response {
    if (this.#native === null) {
      const headers = this.headers
      const empty = this.payload === null || hasNoContent(this.status)
      const body = empty ? null : (this.payload as ConstructorParameters<typeof Response>[0])
      this.#native = new PlatformResponse(body, { status: this.status, headers })
      this.#headers = this.#native.headers
    }
    return this.#native
  }

  /**
   * Makes the response that a host other than an adapter of ours will read.
   *
   * @returns A response of the platform.
   * @throws {TypeError} If its body was read meanwhile.
   */
  toSent(): Response {
    const { payload } = this
    if (!(payload instanceof ReadableStream)) return this.toNative()
    const body = watchBody(payload, (fault) => this.bodyFailed(fault))
    return new PlatformResponse(body, { status: this.status, headers: this.headers })
  }

  /**
   * Reserves the response for a request: it is sent once.
   *
   * @param request The request.
   * @returns Whether it is that request's now; false when it is another's.
   */
  takeFor(request: object): boolean {
    this.#taker ??= request
    return this.#taker === request
  }

  /**
   * @returns A response with the same body and headers of its own: what one request sets on it, such as a cookie, is not
   * found on a response that the application keeps.
   */
  detached(): LightResponse {
    const copy = new LightResponse(this.status, this.payload, [...this.headerLines()])
    copy.isAsciiText = this.isAsciiText
    copy.#isAscii = this.hasAsciiHeaders
    copy.#taker = this.#taker
    return copy
  }

  /**
   * @param listener Takes what the body fails with while it is sent.
   */
  onBodyFault(listener: (fault: unknown) => void): void {
    this.#onBodyFault = listener
  }

  /**
   * @param fault What the body failed with.
   * @returns Whether somebody listens.
   */
  bodyFailed(fault: unknown): boolean {
    this.#onBodyFault?.(fault)
    return this.#onBodyFault !== null
  }

  /** Whether the application had its headers in hand, and may have written anything the platform allows. */
  get hasExposedHeaders(): boolean {
    return this.#headers !== null
  }

  /** Whether the body was read, or is being read, through the platform's members. */
  get isBodyTaken(): boolean {
    const native = this.#native
    if (native !== null && (native.bodyUsed || native.body?.locked === true)) return true
    return this.payload instanceof ReadableStream && this.payload.locked
  }

  /** Whether the body was read through the platform's members; such a response cannot be sent any more. */
  get bodyUsed(): boolean {
    return this.#native?.bodyUsed ?? false
  }

  /** Headers of the platform; once asked for, they are the ones that are sent. */
  get headers(): Headers {
    if (this.#headers === null) {
      const headers = new Headers()
      const lines = this.#lines
      for (let i = 0; i < lines.length; i += 2) headers.append(lines[i] ?? '', lines[i + 1] ?? '')
      this.#headers = headers
    }
    return this.#headers
  }

  /** Whether the status is from 200 to 299. */
  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  /** Empty: the reason phrase belongs to the adapter. */
  get statusText(): string {
    return ''
  }

  /** Always `default`: the response was made here. */
  get type(): Response['type'] {
    return 'default'
  }

  /** Empty: the response was made here. */
  get url(): string {
    return ''
  }

  /** False: the response was made here. */
  get redirected(): boolean {
    return false
  }

  /** The body as a stream of the platform. */
  get body(): Response['body'] {
    return this.toNative().body
  }

  /**
   * Reads the body.
   *
   * @returns The bytes.
   */
  arrayBuffer(): Promise<ArrayBuffer> {
    return ignoreFailure(this.toNative().arrayBuffer())
  }

  /**
   * Reads the body.
   *
   * @returns A blob.
   */
  blob(): Promise<Blob> {
    return ignoreFailure(this.toNative().blob())
  }

  /**
   * Reads the body.
   *
   * @returns The bytes.
   */
  bytes(): ReturnType<Response['bytes']> {
    return ignoreFailure(this.toNative().bytes())
  }

  /**
   * Reads the body as a form.
   *
   * @returns The form.
   * @throws {TypeError} If it is no form.
   */
  formData(): Promise<FormData> {
    return ignoreFailure(this.toNative().formData())
  }

  /**
   * Reads the body as JSON.
   *
   * @returns The value.
   * @throws {SyntaxError} If it is no JSON.
   */
  json(): Promise<unknown> {
    return ignoreFailure(this.toNative().json())
  }

  /**
   * Reads the body as UTF-8.
   *
   * @returns The text.
   */
  text(): Promise<string> {
    return ignoreFailure(this.toNative().text())
  }

  /**
   * Makes a second response to read.
   *
   * @returns A response of the platform.
   * @throws {TypeError} If the body has been read.
   */
  clone(): Response {
    return this.toNative().clone()
  }
}

// `response instanceof Response` holds for light ones, without calling the platform's constructor.
Object.setPrototypeOf(LightResponse.prototype, PlatformResponse.prototype)

// RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5.
function hasNoContent(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}

function assertHeader(name: string, value: string): void {
  if (!HEADER_NAME.test(name)) throw new TypeError(`Cannot send a header named ${JSON.stringify(name)}`)
  if (!isHeaderValue(value))
    throw new TypeError(`Cannot send header "${name}": its value has an illegal character`)
}

function sentLines(lines: readonly string[]): string[] {
  const options = connectionOptions(lines)
  const sent: string[] = []
  for (let i = 0; i < lines.length; i += 2) {
    const [name = '', value = ''] = [lines[i], lines[i + 1]]
    const kept = withoutConnection(name, value, options)
    if (kept !== null) sent.push(name, kept)
  }
  return sent
}
