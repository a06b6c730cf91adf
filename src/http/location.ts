import { declarationError, sentence, shown } from '../core/internal.ts'
import { asUnsendable } from './unsendable.ts'

// Characters that need no encoding in a URI: RFC 3986 section 2, and % for existing escapes.
const PLAIN = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const UNSAFE = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/gu
// Browsers read a backslash as a slash and drop tabs and line breaks, so that none of these may stand before the path.
const HTTP_URL = /^https?:\/\/[^/?#@\\\p{Cc}]+([/?#]|$)/iu

/**
 * Creates the value of a `Location` header. Characters outside a URI's alphabet are percent-encoded, so the header cannot
 * be split, and browsers read no backslash as a slash. Half of a character becomes U+FFFD.
 *
 * @param target A path that starts with exactly one slash, or an absolute http or https URL.
 * @returns The value for the header.
 * @throws {TypeError} If the target is anything else.
 */
export function toLocation(target: string): string {
  if (typeof target !== 'string') throw noTarget(target)
  const isPlain = PLAIN.test(target)
  if (!isPath(target) && !isHttpUrl(target)) {
    throw asUnsendable(
      new TypeError(
        sentence`Cannot redirect to ${JSON.stringify(target)}: use a path such as "/login" or an http URL`,
      ),
    )
  }
  return isPlain ? target : target.toWellFormed().replace(UNSAFE, encodeURIComponent)
}

/**
 * @param status Status of a redirect.
 * @throws {RangeError} If it is not a redirect status.
 */
export function assertRedirect(status: number): void {
  if (!REDIRECTS.has(status))
    throw new RangeError(
      sentence`Cannot redirect with status ${shown(status)}: use 301, 302, 303, 307 or 308`,
    )
}

function noTarget(target: unknown): TypeError {
  const advice =
    target instanceof URL ? 'pass its href' : sentence`use a path such as "/login" or an http URL`
  return declarationError(sentence`Cannot redirect to ${shown(target)}: ${advice}`)
}

function isPath(target: string): boolean {
  return target.charCodeAt(0) === 47 && target.charCodeAt(1) !== 47
}

function isHttpUrl(target: string): boolean {
  return HTTP_URL.test(target) && URL.canParse(target)
}
