import { HttpException, ServiceUnavailableException } from 'sallyport/http'

/** @returns The refusal where a database cannot be used at the moment: it is not the fault of the request, which can be repeated. */
export function unavailable(cause: unknown): ServiceUnavailableException {
  return new ServiceUnavailableException('The database cannot be reached at the moment', { cause })
}

/**
 * @returns The refusal of a row that belongs to something that was erased by another process after it was read.
 *   Nothing is written then.
 */
export function gone(cause: unknown): HttpException {
  return new HttpException(409, 'ERR_APP_GONE', 'What this belongs to has been deleted meanwhile', {
    cause,
  })
}
