/** HTTP: exceptions with a status, credentials, cookies, middlewares, local redirect targets. @module */
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
export { type CookieOptions, Cookies } from './cookies.ts'
export { type HttpErrorCode, HttpException, type HttpExceptionOptions } from './http-exception.ts'
export { LocalTarget } from './local-target.ts'
export type { Middleware, MiddlewareClass, Next, OutgoingMiddleware } from './middleware.ts'
export { ParameterizedMiddleware } from './parameterized-middleware.ts'
export { prefersJson } from './negotiation.ts'
export { RedirectException } from './redirect-exception.ts'
export { isSeen, type SentRequest } from './seen.ts'
export { ServedHosts } from './served-hosts.ts'
