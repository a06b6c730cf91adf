import type { RequestSource } from '../http/internal.ts'
import { UnsupportedMediaTypeException } from '../http/index.ts'

// ASCII is a subset of UTF-8; no other charset that clients declare can be decoded as UTF-8.
const READABLE: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/**
 * Reads a parameter of a media type as the WHATWG MIME Sniffing standard does: malformed parts are skipped.
 *
 * @param contentType Value of a `Content-Type` header.
 * @param name Name of the parameter, in lower case.
 * @returns All values of the parameter, in the order they are written.
 */
export function parametersOf(contentType: string, name: string): string[] {
  const found: string[] = []
  for (let at = contentType.indexOf(';'); at !== -1 && at < contentType.length;) {
    const end = endOfParameter(contentType, at + 1)
    const parameter = contentType.slice(at + 1, end)
    const equals = parameter.indexOf('=')
    if (equals !== -1 && parameter.slice(0, equals).trim().toLowerCase() === name)
      found.push(unquoted(parameter.slice(equals + 1).trim()))
    at = end
  }
  return found
}

/**
 * Refuses a charset other than UTF-8.
 *
 * @param contentType Value of a `Content-Type` header.
 * @throws {UnsupportedMediaTypeException} If another charset is declared.
 */
export function assertCharset(contentType: string): void {
  if (!contentType.includes(';')) return
  for (const charset of parametersOf(contentType, 'charset')) {
    if (!READABLE.has(charset.toLowerCase()))
      throw new UnsupportedMediaTypeException('The body must be encoded as UTF-8')
  }
}

/**
 * Refuses a body that cannot be decoded as UTF-8.
 *
 * @param source The request.
 * @throws {UnsupportedMediaTypeException} If it is compressed, or declared to have another charset than UTF-8.
 */
export function assertReadable(source: RequestSource): void {
  const coding = source.header('content-encoding')
  if (coding !== null && coding !== '' && coding.trim().toLowerCase() !== 'identity') {
    throw new UnsupportedMediaTypeException('The body must be sent without a content encoding', {
      headers: { 'accept-encoding': 'identity' },
    })
  }
  assertCharset(source.header('content-type') ?? '')
}

// The next semicolon outside of quotes, or the end.
function endOfParameter(text: string, start: number): number {
  let isQuoted = false
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 92 && isQuoted) i++
    else if (code === 34) isQuoted = !isQuoted
    else if (code === 59 && !isQuoted) return i
  }
  return text.length
}

function unquoted(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"')
    ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1')
    : value
}
