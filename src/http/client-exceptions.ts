import { sentence, shown } from '../core/internal.ts'
import { HttpException, type HttpExceptionOptions } from './http-exception.ts'

/** The request is malformed: 400. */
export class BadRequestException extends HttpException {
  declare readonly code: 'ERR_HTTP_BAD_REQUEST'

  /**
   * @param message What is wrong with the request. Default: a general sentence.
   * @param options `headers` and `cause`. Default: none.
   */
  constructor(message = 'The request cannot be understood', options?: HttpExceptionOptions) {
    super(400, 'ERR_HTTP_BAD_REQUEST', message, options)
  }
}

/** Two override targets, or a target other than PUT, PATCH and DELETE: 400. @see Clauses OVR-07, OVR-08. */
export class InvalidMethodOverrideException extends HttpException {
  declare readonly code: 'ERR_HTTP_METHOD_OVERRIDE'

  /**
   * @param message What is wrong with the override. Default: a general sentence.
   */
  constructor(message = 'The method override is not allowed') {
    super(400, 'ERR_HTTP_METHOD_OVERRIDE', message)
  }
}

/**
 * The request is not authenticated: 401 with the required challenge.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { UnauthorizedException } from 'sallyport/http'
 *
 * const refusal = new UnauthorizedException('Bearer realm="api", error="invalid_token"')
 *
 * assert.equal(refusal.status, 401)
 * assert.equal(refusal.headers['www-authenticate'], 'Bearer realm="api", error="invalid_token"')
 * ```
 *
 * @see RFC 9110 section 15.5.2
 */
export class UnauthorizedException extends HttpException {
  declare readonly code: 'ERR_AUTH_UNAUTHORIZED'

  /**
   * @param challenge Value of `WWW-Authenticate`, for example `Bearer` or `Basic realm="admin"`.
   * @param options `cause`. Default: none.
   * @throws {TypeError} If the challenge is not a string, is blank or is not valid in a header.
   */
  constructor(challenge: string, options?: ErrorOptions) {
    if (typeof challenge !== 'string')
      throw new TypeError(
        sentence`Cannot build a 401 with the challenge ${shown(challenge)}: use one such as "Bearer"`,
      )
    if (challenge.trim() === '') throw new TypeError(sentence`Cannot build a 401 without a challenge`)
    const headers = { 'www-authenticate': challenge, 'cache-control': 'no-store' }
    super(401, 'ERR_AUTH_UNAUTHORIZED', 'Authentication is required', { ...options, headers })
  }
}

/**
 * The client is authenticated but lacks permission: 403. The message is sent as it is.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule, type HttpContext } from 'sallyport'
 * import { ForbiddenException, type Middleware, type Next, RedirectException } from 'sallyport/http'
 * import { TestClient } from 'sallyport/testing'
 *
 * class StaffOnly implements Middleware<HttpContext> {
 *   process(context: HttpContext, next: Next): Promise<Response> {
 *     if (!context.auth().isAuthenticated()) throw new RedirectException('/login')
 *     if (!context.auth().allows('orders.read')) throw new ForbiddenException()
 *     return next()
 *   }
 * }
 * class OrderController extends Controller {
 *   static readonly actions = { index: [] }
 *   index() {}
 * }
 * const admin = defineModule('Admin', (module) =>
 *   module.middleware(StaffOnly).controllers(OrderController),
 * )
 *
 * const response = await new TestClient(App.default().modules(admin)).get('/admin/order')
 * assert.equal(response.headers.get('location'), '/login')
 * ```
 *
 * @see RFC 9110 section 15.5.4
 */
export class ForbiddenException extends HttpException {
  declare readonly code: 'ERR_AUTH_FORBIDDEN'

  /**
   * @param message Message for the client. It is sent, so name nothing that the client must not know. Default: a general
   * sentence.
   * @param options `headers`, and `cause` for details that only developers may see. Default: none.
   */
  constructor(message = 'This is not allowed', options?: HttpExceptionOptions) {
    super(403, 'ERR_AUTH_FORBIDDEN', message, options)
  }
}

/** No resource exists at this URL: 404. */
export class NotFoundException extends HttpException {
  declare readonly code: 'ERR_HTTP_NOT_FOUND'

  /**
   * @param message Message for the client. Default: a general sentence.
   * @param options `headers` and `cause`. Default: none.
   */
  constructor(message = 'There is nothing at this address', options?: HttpExceptionOptions) {
    super(404, 'ERR_HTTP_NOT_FOUND', message, options)
  }
}

/** The URL exists, but not for this method: 405 with `Allow`. @see RFC 9110 section 15.5.6 */
export class MethodNotAllowedException extends HttpException {
  declare readonly code: 'ERR_HTTP_METHOD_NOT_ALLOWED'

  /** Methods that the URL supports, sorted; HEAD follows GET. */
  readonly allowedMethods: readonly string[]

  /**
   * @param allowedMethods Methods that the URL supports. HEAD is added to GET, duplicates are dropped.
   */
  constructor(allowedMethods: Iterable<string>) {
    const methods = new Set(allowedMethods)
    if (methods.has('GET')) methods.add('HEAD')
    const sorted = [...methods].sort()
    const headers = { allow: sorted.join(', ') }
    super(405, 'ERR_HTTP_METHOD_NOT_ALLOWED', 'This address does not answer that method', { headers })
    this.allowedMethods = sorted
  }
}

/** The body is larger than the limit: 413. The connection is closed because the rest of the body is not read. */
export class PayloadTooLargeException extends HttpException {
  declare readonly code: 'ERR_HTTP_PAYLOAD_TOO_LARGE'

  /**
   * @param message Message for the client. Default: a general sentence.
   */
  constructor(message = 'The request is too large') {
    super(413, 'ERR_HTTP_PAYLOAD_TOO_LARGE', message, { headers: { connection: 'close' } })
  }
}

/** The body has a media type or encoding that is not supported: 415. @see RFC 9110 section 15.5.16 */
export class UnsupportedMediaTypeException extends HttpException {
  declare readonly code: 'ERR_HTTP_UNSUPPORTED_MEDIA_TYPE'

  /**
   * @param message Message for the client. Default: a general sentence.
   * @param options `headers` and `cause`. Default: none.
   */
  constructor(message = 'The body is not in a form that is read here', options?: HttpExceptionOptions) {
    super(415, 'ERR_HTTP_UNSUPPORTED_MEDIA_TYPE', message, options)
  }
}

/**
 * Too many attempts: 429 with `Retry-After`.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { TooManyRequestsException } from 'sallyport/http'
 *
 * const refusal = new TooManyRequestsException(89.2, 'Too many codes. Try again in 90 seconds')
 *
 * assert.deepEqual([refusal.status, refusal.headers['retry-after']], [429, '90'])
 * ```
 *
 * @see RFC 6585 section 4
 */
export class TooManyRequestsException extends HttpException {
  declare readonly code: 'ERR_HTTP_TOO_MANY_REQUESTS'

  /**
   * @param retryAfterSeconds Seconds until another attempt may succeed; rounded up, at least 1.
   * @param message Message for the client: it is sent. Default: a general sentence.
   * @throws {RangeError} If the seconds are not a finite number.
   */
  constructor(retryAfterSeconds: number, message = 'Too many attempts. Try again later') {
    const headers = { 'retry-after': wholeSeconds(retryAfterSeconds) }
    super(429, 'ERR_HTTP_TOO_MANY_REQUESTS', message, { headers })
  }
}

/** A service that the request needs is down at the moment: 503 with `Retry-After`. */
export class ServiceUnavailableException extends HttpException {
  /**
   * @param message Message for the client. Default: a general sentence.
   * @param options `retryAfterSeconds` (default 1), a `code` for a specific condition, and `cause`.
   * @throws {RangeError} If the seconds are not a finite number.
   */
  constructor(
    message = 'The service is not available at the moment',
    options: ErrorOptions & {
      readonly retryAfterSeconds?: number
      readonly code?: HttpException['code']
    } = {},
  ) {
    const headers = {
      'retry-after': wholeSeconds(options.retryAfterSeconds ?? 1),
      'cache-control': 'no-store',
    }
    super(503, options.code ?? 'ERR_HTTP_SERVICE_UNAVAILABLE', message, { cause: options.cause, headers })
  }
}

// RFC 9110 section 10.2.3.
function wholeSeconds(seconds: number): string {
  if (!Number.isFinite(seconds))
    throw new RangeError(
      sentence`Cannot use ${seconds} as the seconds of Retry-After: it must be a finite number`,
    )
  return String(Math.max(1, Math.ceil(seconds)))
}
