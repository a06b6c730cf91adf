// No path, query or credentials; the host is judged by `URL`.
const HTTP_ORIGIN = /^https?:\/\/[^\s/\\?#@%]+$/i

// Nearly all requests of a server name the same origin.
let last: { readonly text: string; readonly origin: string | undefined } = { text: '', origin: undefined }

/**
 * @param text Scheme and host of a header, a setting or a request, with or without the port of the scheme.
 * @returns The origin as browsers write it; undefined if the text is not one of HTTP.
 * @see The URL standard, "origin"; RFC 6454 section 6.2.
 */
export function parseOrigin(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  if (text !== last.text)
    last = { text, origin: HTTP_ORIGIN.test(text) ? URL.parse(text)?.origin : undefined }
  return last.origin
}
