import { ignoreFailure, sentence } from '../core/internal.ts'
import { watchBody } from './body-stream.ts'
import { connectionOptions, withoutConnection } from './connection-fields.ts'
import { isAscii, isHeaderValue } from './header-value.ts'
import { bodyStream, PlatformResponse } from './platform-response.ts'

/** Body of a light response: a string, bytes, a stream, or nothing. */
export type Payload = string | Uint8Array | ReadableStream<Uint8Array> | null

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * A response that an adapter writes directly. It stands in for the platform's `Response`: `instanceof` holds and all
 * members work. The platform's object is built only when one of its own members is used, because building it for each
 * request costs more than the rest of a small request. `App.fetch()` never returns a light response.
 */
export class LightResponse {
  /** Status code. */
  readonly status: number
  /** Body as passed to the constructor. */
  readonly payload: Payload
  /** Whether the body is a string known to be ASCII. Code that has measured the body may set it. Default: false. */
  isAsciiText = false
  readonly #lines: string[]
  #isAscii = true
  #headers: Headers | null = null
  #native: Response | null = null
  #taker: object | null = null
  #original: LightResponse | null = null
  #onBodyFault: ((fault: unknown) => void) | null = null

  /**
   * @param status Status code.
   * @param payload Body; null for none.
   * @param lines Alternating lower-case names and values; the response takes ownership of the array.
   */
  constructor(status: number, payload: Payload, lines: string[]) {
    this.status = status
    this.payload = payload
    this.#lines = lines
  }

  /**
   * Wraps a response of any implementation so that headers can be added to it.
   *
   * @param response Any response.
   * @returns The response itself when it is already a light one.
   * @throws {TypeError} If another implementation's response has a header that cannot be sent.
   */
  static from(response: Response): LightResponse {
    if (#lines in response) return response
    const lines: string[] = []
    const isForeign = !(response instanceof PlatformResponse)
    for (const [name, value] of response.headers) {
      // The platform's class has already checked its headers.
      if (isForeign) assertHeader(name, value)
      lines.push(isForeign ? name.toLowerCase() : name, value)
    }
    const body = bodyStream(response)
    if (!hasNoContent(response.status)) return new LightResponse(response.status, body, sentLines(lines))
    // The platform's class has no body for these statuses; other implementations may.
    body?.cancel().catch(() => undefined)
    return new LightResponse(response.status, null, sentLines(lines))
  }

  /**
   * Adds a header line; earlier lines with that name stay.
   *
   * @param name Name in lower case.
   * @param value Value.
   * @throws {TypeError} If the name or value is not valid in a header.
   */
  append(name: string, value: string): void {
    assertHeader(name, value)
    if (this.#isAscii && !isAscii(value)) this.#isAscii = false
    if (this.#headers === null) this.#lines.push(name, value)
    else this.#headers.append(name, value)
  }

  /**
   * Adds a header of the framework unless one with that name exists. Nothing is checked.
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
   * Adds a header unless one with that name exists.
   *
   * @param name Name in lower case.
   * @param value Value.
   * @throws {TypeError} If the name or value is not valid in a header.
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
   * Whether all header values that were not constants are ASCII. Other values are sent as Latin-1, one byte per character
   * (RFC 9110 section 5.5). An adapter that writes head and body as one string must encode those itself.
   */
  get hasAsciiHeaders(): boolean {
    if (!this.#isAscii) return false
    const headers = this.#headers ?? this.#native?.headers
    if (headers === undefined) return true
    for (const [, value] of headers) if (!isAscii(value)) return false
    return true
  }

  /**
   * @returns Alternating names and values, ready for `writeHead`.
   */
  headerLines(): string[] {
    const headers = this.#headers ?? this.#native?.headers
    if (headers === undefined) return this.#lines
    const lines: string[] = []
    for (const [name, value] of headers) lines.push(name, value)
    return lines
  }

  /**
   * @returns The platform's response; the same object on each call.
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
   * Creates the response for a host that is not one of our adapters.
   *
   * @returns A response of the platform.
   * @throws {TypeError} If the body has been read since.
   */
  toSent(): Response {
    const { payload } = this
    if (!(payload instanceof ReadableStream)) return this.toNative()
    const body = watchBody(payload, { onFault: (fault) => this.bodyFailed(fault) })
    return new PlatformResponse(body, { status: this.status, headers: this.headers })
  }

  /**
   * Reserves the response for a request, because it can be sent only once.
   *
   * @param request The request.
   * @returns Whether the response now belongs to that request; false when it belongs to another.
   */
  takeFor(request: object): boolean {
    this.#taker ??= request
    return this.#taker === request
  }

  /**
   * @param payload Its body. Default: the same.
   * @returns A response with the same body and its own headers, so that a header set for one request, such as a cookie,
   * does not appear on a response that the application reuses.
   */
  detached(payload: Payload = this.payload): LightResponse {
    const copy = new LightResponse(this.status, payload, [...this.headerLines()])
    copy.isAsciiText = this.isAsciiText && payload === this.payload
    copy.#isAscii = this.hasAsciiHeaders
    copy.#taker = this.#taker
    copy.#original = this
    return copy
  }

  /**
   * @param other A response.
   * @returns Whether this one was detached from it: a header that it lacks was removed on purpose.
   */
  isDetachedFrom(other: LightResponse): boolean {
    return this.#original === other
  }

  /**
   * @param listener Receives the error when sending the body fails.
   */
  onBodyFault(listener: (fault: unknown) => void): void {
    this.#onBodyFault = listener
  }

  /**
   * @param fault The error of the body.
   * @returns Whether a listener received it.
   */
  bodyFailed(fault: unknown): boolean {
    this.#onBodyFault?.(fault)
    return this.#onBodyFault !== null
  }

  /** Whether the application has accessed the headers and may have written any value that the platform allows. */
  get hasExposedHeaders(): boolean {
    return this.#headers !== null
  }

  /** Whether the body was read, or is being read, through the platform's members. */
  get isBodyTaken(): boolean {
    const native = this.#native
    if (native !== null && (native.bodyUsed || native.body?.locked === true)) return true
    return this.payload instanceof ReadableStream && this.payload.locked
  }

  /** Whether the body was read through the platform's members; such a response can no longer be sent. */
  get bodyUsed(): boolean {
    return this.#native?.bodyUsed ?? false
  }

  /** Headers of the platform. After the first access these are the ones that are sent. */
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

  /** Empty: the adapter writes the reason phrase. */
  get statusText(): string {
    return ''
  }

  /** Always `default`: the response was created here. */
  get type(): Response['type'] {
    return 'default'
  }

  /** Empty: the response was created here. */
  get url(): string {
    return ''
  }

  /** False: the response was created here. */
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
   * @throws {TypeError} If it is not a form.
   */
  formData(): Promise<FormData> {
    return ignoreFailure(this.toNative().formData())
  }

  /**
   * Reads the body as JSON.
   *
   * @returns The value.
   * @throws {SyntaxError} If it is not JSON.
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
   * Copies the response.
   *
   * @returns A response of the platform.
   * @throws {TypeError} If the body has been read.
   */
  clone(): Response {
    return this.toNative().clone()
  }
}

// `response instanceof Response` holds for light responses, without a call of the platform's constructor.
Object.setPrototypeOf(LightResponse.prototype, PlatformResponse.prototype)

// RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5.
function hasNoContent(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}

function assertHeader(name: string, value: string): void {
  if (!HEADER_NAME.test(name))
    throw new TypeError(sentence`Cannot send a header named ${JSON.stringify(name)}`)
  if (!isHeaderValue(value))
    throw new TypeError(sentence`Cannot send header "${name}": its value has an illegal character`)
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
