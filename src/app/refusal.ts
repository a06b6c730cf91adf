import { LightResponse } from '../http/internal.ts'

/** Why a request is refused before the application sees it. */
export interface Refusal {
  /** Status of the response. */
  readonly status: number
  /** Body of the response. */
  readonly message: string
}

/** A request whose target is not a path, or starts with two slashes. */
export const NO_PATH: Refusal = { status: 400, message: 'The target of the request must be a path' }

const MALFORMED: Refusal = { status: 400, message: 'The target of the request is malformed' }
const NO_METHOD: Refusal = { status: 405, message: 'This method is not served' }

/**
 * Checks for requests that no application sees: a target that is not a path or is ambiguous between clients and servers, and
 * a method that no application supports.
 *
 * @param method The method, in upper case.
 * @param target Path and query as sent.
 * @returns Why the request is refused; null if it is not.
 */
export function refusalOf(method: string | undefined, target: string): Refusal | null {
  if (target.charCodeAt(0) !== 47 || target.charCodeAt(1) === 47) return NO_PATH
  if (target.includes('#') || target.includes('\\')) return MALFORMED
  return method === 'TRACE' || method === 'CONNECT' ? NO_METHOD : null
}

/** A request for a host that is not served here. @see RFC 9110 section 15.5.20 */
export const MISDIRECTED: Refusal = { status: 421, message: 'This host is not served here' }

/**
 * Creates the response to a refused request: plain text, because no code of the application has run.
 *
 * @param refusal Status and body.
 * @param headers Alternating names and values of the headers of every response.
 * @returns The response.
 */
export function refusal({ status, message }: Refusal, headers: readonly string[]): LightResponse {
  return new LightResponse(status, message, [
    ...headers,
    'content-type',
    'text/plain; charset=utf-8',
    'content-length',
    String(Buffer.byteLength(message)),
  ])
}

/**
 * @param url URL of a request.
 * @returns Its host, with the port unless that is the one of its scheme.
 */
export function hostOf(url: string): string {
  const start = url.indexOf('://') + 3
  return url.slice(start, url.indexOf('/', start))
}
