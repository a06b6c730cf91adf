import { LightResponse } from '../http/internal.ts'

/** Why a request is refused before the application sees it. */
export interface Refusal {
  /** Status of the answer. */
  readonly status: number
  /** Its text. */
  readonly message: string
}

/** A request whose target is not a path, or starts with two slashes. */
export const NO_PATH: Refusal = { status: 400, message: 'The target of the request must be a path' }

const MALFORMED: Refusal = { status: 400, message: 'The target of the request is malformed' }
const NO_METHOD: Refusal = { status: 405, message: 'This method is not served' }

/**
 * Judges what no application sees: a target that is no path, or that a client and a server may read as two, and a method
 * that no application answers.
 *
 * @param method The method, in upper case.
 * @param target Path and query as sent.
 * @returns Why it is refused; null when it goes on.
 */
export function refusalOf(method: string | undefined, target: string): Refusal | null {
  if (target.charCodeAt(0) !== 47 || target.charCodeAt(1) === 47) return NO_PATH
  if (target.includes('#') || target.includes('\\')) return MALFORMED
  return method === 'TRACE' || method === 'CONNECT' ? NO_METHOD : null
}

/** A request for a host that is not served here. @see RFC 9110 section 15.5.20 */
export const MISDIRECTED: Refusal = { status: 421, message: 'This host is not served here' }

/**
 * Makes the answer to a refused request: plain text, for nothing of the application has run.
 *
 * @param refusal Status and text.
 * @param headers Names and values by turns of what every response carries.
 * @returns The answer.
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
