// No path, query or credentials; the host is judged by `URL`.
const HTTP_ORIGIN = /^https?:\/\/[^\s/\\?#@%]+$/i

/**
 * @param text Scheme and host of a header, a setting or a request, with or without the port of the scheme.
 * @returns The origin as browsers write it; undefined if the text is not one of HTTP.
 * @see The URL standard, "origin"; RFC 6454 section 6.2.
 */
export function parseOrigin(text: unknown): string | undefined {
  return typeof text === 'string' && HTTP_ORIGIN.test(text) ? URL.parse(text)?.origin : undefined
}
