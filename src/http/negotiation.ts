import Negotiator from 'negotiator'

const ERROR_TYPES = ['text/html', 'application/problem+json', 'application/json']
const LONGEST_HEADER = 1024

/**
 * Whether an error is answered as problem+json or as a page: by `Accept`, a page when the client has no preference.
 *
 * @param accept Value of the `Accept` header; null when it was not sent.
 * @returns Whether the client prefers JSON.
 */
export function prefersJson(accept: string | null): boolean {
  if (accept === null || !accept.includes('json') || accept.length > LONGEST_HEADER) return false
  const preferred = new Negotiator({ headers: { accept } }).mediaType(ERROR_TYPES)
  return preferred !== undefined && preferred !== 'text/html'
}
