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

/**
 * Chooses a content coding by the header `Accept-Encoding`. A client that likes several alike gets the first of the list.
 *
 * @param accepted Value of the header; null when it was not sent.
 * @param codings The codings that exist beside `identity`, the best first.
 * @returns The coding; `identity` for none; undefined when the client accepts nothing that exists.
 * @see RFC 9110 section 12.5.3.
 */
export function negotiateCoding(accepted: string | null, codings: readonly string[]): string | undefined {
  if (accepted === null || accepted.length > MAX_HEADER_LENGTH) return 'identity'
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': accepted } })
  return negotiator.encodings([...codings, 'identity'], { preferred: codings })[0]
}

// The published types do not know the second parameter yet.
interface EncodingNegotiator {
  encodings(available: string[], options: { readonly preferred: readonly string[] }): string[]
}
