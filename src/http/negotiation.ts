import Negotiator from 'negotiator'

const ERROR_TYPES = ['text/html', 'application/problem+json', 'application/json']
const MAX_HEADER_LENGTH = 1024

/**
 * Chooses between problem+json and an HTML page for an error, by the `Accept` header. Without a preference it is a page.
 *
 * @param accept Value of the `Accept` header; null when it was not sent.
 * @returns Whether the client prefers JSON.
 */
export function prefersJson(accept: string | null): boolean {
  if (accept === null || !accept.includes('json') || accept.length > MAX_HEADER_LENGTH) return false
  const preferred = new Negotiator({ headers: { accept } }).mediaType(ERROR_TYPES)
  return preferred !== undefined && preferred !== 'text/html'
}
