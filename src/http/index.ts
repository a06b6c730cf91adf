/** HTTP as the framework speaks it: refusals with a status, credentials, cookies, middlewares, requests, responses. @module */
export { Authorization } from './authorization.ts'
export {
  BadRequestException,
  ForbiddenException,
  InvalidMethodOverrideException,
  MethodNotAllowedException,
  NotFoundException,
  PayloadTooLargeException,
  ServiceUnavailableException,
  TooManyRequestsException,
  UnauthorizedException,
  UnsupportedMediaTypeException,
} from './client-exceptions.ts'
export { canonicalAddress } from './client-address.ts'
export { BodyBuffer, BodyCounter, type BodySink } from './body-sink.ts'
export { connectionOptions, withoutConnection } from './connection-fields.ts'
export { assertBytes } from './body-stream.ts'
export { type CookieOptions, Cookies, findCookie, findCookies } from './cookies.ts'
export { bodyIsGone, FetchSource, type RequestOrigin, withSharedBody } from './fetch-source.ts'
export { handedOut } from './handed-request.ts'
export { isHeaderValue } from './header-value.ts'
export { type HeaderMap, HttpException, type HttpExceptionOptions } from './http-exception.ts'
export { LightResponse, type Payload } from './light-response.ts'
export { LocalTarget } from './local-target.ts'
export { toLocation } from './location.ts'
export type { Middleware, MiddlewareClass, Next, OutgoingMiddleware } from './middleware.ts'
export { prefersJson } from './negotiation.ts'
export { cancelBody, TakenResponses, type AnsweredRequest } from './taken-responses.ts'
export { isResponse, PlatformResponse } from './platform-response.ts'
export { RedirectException } from './redirect-exception.ts'
export { ServedHosts, type ServedHostsOptions } from './served-hosts.ts'
export { emptyResponse, jsonResponse, redirectResponse, textResponse } from './response-factories.ts'
export { DEFAULT_LIMITS, type RequestLimits, type RequestSource } from './request-source.ts'
