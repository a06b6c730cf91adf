import { SallyportException } from '../core/index.ts'

/** Response headers by lower-case name. */
export type HeaderMap = Readonly<Record<string, string>>

/** Options of an {@link HttpException}. */
export interface HttpExceptionOptions extends ErrorOptions {
  /** Headers of the response, by lower-case name. Default: none. */
  readonly headers?: HeaderMap
}

/**
 * A refusal with an HTTP status. Thrown anywhere in a request, it becomes the response. Its message is shown to
 * the client. It is an outcome and not a fault, so it captures no stack.
 */
export class HttpException extends SallyportException {
  /** Status of the response. */
  readonly status: number
  /** Headers of the response, by lower-case name. */
  readonly headers: HeaderMap

  /**
   * @param status Status of the response, 300 to 599.
   * @param code Stable identifier of the condition.
   * @param message What the client is told.
   * @param options `headers` of the response and `cause`. Default: none.
   * @throws {TypeError} If it is a 401 without a challenge: `UnauthorizedException` takes one.
   */
  constructor(status: number, code: string, message: string, options: HttpExceptionOptions = {}) {
    if (status === 401 && options.headers?.['www-authenticate'] === undefined) {
      throw new TypeError('Cannot build a 401 without a challenge: use UnauthorizedException')
    }
    // A stack costs 5 us and up, and says nothing here: the condition is in the code.
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(code, message, options.cause === undefined ? undefined : { cause: options.cause })
    Error.stackTraceLimit = limit
    this.status = status
    this.headers = options.headers ?? {}
  }
}
