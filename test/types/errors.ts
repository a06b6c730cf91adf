// Compiles only: the code of an exception tells which one it is.
import type { AnonymousException } from 'sallyport/auth'
import type { InvalidCsrfTokenException } from 'sallyport/csrf'
import type {
  HttpErrorCode,
  HttpException,
  MethodNotAllowedException,
  NotFoundException,
} from 'sallyport/http'
import type { ValidationException, Violation } from 'sallyport/input'
import type { SessionStoreException } from 'sallyport/session'

type Failure =
  | AnonymousException
  | InvalidCsrfTokenException
  | MethodNotAllowedException
  | NotFoundException
  | SessionStoreException
  | ValidationException

/** Narrows an exception by its code, to the last one. */
export function factsOf(failure: Failure): readonly Violation[] | readonly string[] | number | string {
  if (failure.code === 'ERR_INPUT_VALIDATION') return failure.violations
  if (failure.code === 'ERR_HTTP_METHOD_NOT_ALLOWED') return failure.allowedMethods
  if (failure.code === 'ERR_AUTH_ANONYMOUS') return failure.message
  if (failure.code === 'ERR_HTTP_NOT_FOUND' || failure.code === 'ERR_CSRF_INVALID_TOKEN')
    return failure.status
  const stored: SessionStoreException = failure
  return stored.code
}

// @ts-expect-error -- no exception has this code
export const isMistyped = (failure: Failure): boolean => failure.code === 'ERR_HTTP_NOTFOUND'

/** A refusal has one of our codes, or one of the application's own. */
export function titleOf({ code }: HttpException): string {
  const own: HttpErrorCode = 'ERR_HTTP_TOO_MANY_REQUESTS'
  if (code === own) return 'Later'
  return code === 'ERR_SHOP_CLOSED' ? 'Closed' : 'Refused'
}

// @ts-expect-error -- none of our codes
export const unknownCode: HttpErrorCode = 'ERR_SHOP_CLOSED'
