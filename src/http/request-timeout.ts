import { HttpException } from './http-exception.ts'

/**
 * @returns The refusal of a client that takes too long to send its body: 408.
 * @see RFC 9110 section 15.5.9.
 */
export function requestTimeout(): HttpException {
  const headers = { connection: 'close' }
  return new HttpException(408, 'ERR_HTTP_REQUEST_TIMEOUT', 'The request did not arrive in time', { headers })
}
