import { SallyportException } from '../core/index.ts'
import { sentence, shown } from '../core/internal.ts'
import { isHeaderValue } from './header-value.ts'

// RFC 9110 section 5.6.2.
const TOKEN = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/
// They describe the body, which the framework writes.
const BODY_HEADERS: ReadonlySet<string> = new Set(['content-length', 'content-type', 'transfer-encoding'])

/** Response headers by lower-case name. */
export type HeaderMap = Readonly<Record<string, string>>

const NO_HEADERS: HeaderMap = Object.freeze({})

/** The codes of the framework's own exceptions. An application adds its own, such as `ERR_SHOP_CLOSED`. */
export type HttpErrorCode =
  | 'ERR_AUTH_BUSY'
  | 'ERR_AUTH_FORBIDDEN'
  | 'ERR_AUTH_UNAUTHORIZED'
  | 'ERR_CSRF_INVALID_TOKEN'
  | 'ERR_HTTP_BAD_REQUEST'
  | 'ERR_HTTP_INSUFFICIENT_STORAGE'
  | 'ERR_HTTP_METHOD_NOT_ALLOWED'
  | 'ERR_HTTP_METHOD_OVERRIDE'
  | 'ERR_HTTP_NOT_ACCEPTABLE'
  | 'ERR_HTTP_NOT_FOUND'
  | 'ERR_HTTP_PAYLOAD_TOO_LARGE'
  | 'ERR_HTTP_PRECONDITION_FAILED'
  | 'ERR_HTTP_RANGE_NOT_SATISFIABLE'
  | 'ERR_HTTP_REDIRECT'
  | 'ERR_HTTP_REQUEST_TIMEOUT'
  | 'ERR_HTTP_SERVICE_UNAVAILABLE'
  | 'ERR_HTTP_TOO_MANY_REQUESTS'
  | 'ERR_HTTP_UNSUPPORTED_MEDIA_TYPE'
  | 'ERR_INPUT_UNREADABLE'
  | 'ERR_INPUT_VALIDATION'

// Plain `string` would absorb the literals of the union, and editors could not complete them.
type ApplicationErrorCode = string & {}

/** Options of an {@link HttpException}. */
export interface HttpExceptionOptions extends ErrorOptions {
  /** Headers of the response; names become lower case. Default: none. */
  readonly headers?: HeaderMap
}

/**
 * An exception with an HTTP status. Thrown anywhere in a request, it becomes the response, and its message is sent to the
 * client. It is an expected outcome, so it captures no stack.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { HttpException } from 'sallyport/http'
 *
 * class OutOfStockException extends HttpException {
 *   declare readonly code: 'ERR_SHOP_OUT_OF_STOCK'
 *
 *   constructor(product: string) {
 *     super(409, 'ERR_SHOP_OUT_OF_STOCK', `${product} is out of stock`)
 *   }
 * }
 *
 * const error: unknown = new OutOfStockException('Green tea')
 *
 * assert.ok(error instanceof HttpException && error.code === 'ERR_SHOP_OUT_OF_STOCK')
 * assert.equal(error.status, 409)
 * ```
 */
export class HttpException extends SallyportException {
  /** A code of the framework, which editors complete, or one of the application. */
  declare readonly code: HttpErrorCode | ApplicationErrorCode
  /** Status of the response. */
  readonly status: number
  /** Headers of the response, by lower-case name. */
  readonly headers: HeaderMap

  /**
   * @param status Status of the response: 400 to 599, or 300 to 399 with a `location` header.
   * @param code Stable identifier of the condition.
   * @param message Message for the client: it is sent.
   * @param options `headers` of the response and `cause`. Default: none.
   * @throws {RangeError} If the status is another number.
   * @throws {TypeError} If the message is not a string, a header is invalid or describes the body, or a 401 has no
   * `www-authenticate` header: use `UnauthorizedException`.
   */
  constructor(
    status: number,
    code: HttpErrorCode | ApplicationErrorCode,
    message: string,
    options: HttpExceptionOptions = {},
  ) {
    const headers = options.headers === undefined ? NO_HEADERS : sendable(options.headers)
    const lowest = headers['location'] === undefined ? 400 : 300
    if (!Number.isInteger(status) || status < lowest || status > 599) {
      throw new RangeError(
        sentence`Cannot refuse a request with the status ${status}: use one from 400 to 599`,
      )
    }
    if (status === 401 && headers['www-authenticate'] === undefined) {
      throw new TypeError(sentence`Cannot build a 401 without a challenge: use UnauthorizedException`)
    }
    // Capturing a stack takes 5 us or more and adds nothing: the code names the condition.
    const { cause } = options
    if (typeof message !== 'string')
      throw new TypeError(
        sentence`Cannot refuse a request with ${shown(message)} as the message: pass a string`,
      )
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    try {
      super(code, message, cause === undefined ? undefined : { cause })
    } finally {
      Error.stackTraceLimit = limit
    }
    this.status = status
    this.headers = headers
  }
}

function sendable(headers: HeaderMap): HeaderMap {
  const checked: Record<string, string> = {}
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase()
    if (!TOKEN.test(name) || BODY_HEADERS.has(name)) {
      throw new TypeError(sentence`Cannot send the header ${JSON.stringify(given)} with an exception`)
    }
    if (typeof value !== 'string' || !isHeaderValue(value)) {
      throw new TypeError(sentence`Cannot send the header "${name}": its value has an illegal character`)
    }
    checked[name] = value
  }
  return checked
}
