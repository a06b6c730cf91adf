/**
 * A path as it was sent, split on `/` and each segment then decoded once.
 *
 * `text` is the decoded path, in which {@link ENCODED_SLASH} stands for a slash that came percent-encoded: it belongs
 * to a value and never splits. No decoded path holds that character otherwise, for control characters are refused.
 */
export interface UrlPath {
  /** The whole decoded path, with its leading slash. */
  readonly text: string
  /** Its segments, without the empty one behind a trailing slash. */
  readonly segments: readonly string[]
  /** Whether it ends with a slash and is more than `/`. */
  readonly hasSlash: boolean
  /** Whether an escape in it is not as `encodeURIComponent` writes it: needless, or in small letters. */
  readonly hasUncanonicalEscape: boolean
}

/**
 * The longest path that is looked at, in characters. A parameter that takes the rest is handed each segment as an argument
 * of its own, and the stack of the platform ends at about twice as many as this path can have.
 */
export const MAX_PATH_LENGTH = 131_072

/** Stands in a decoded path for a slash that came percent-encoded. */
export const ENCODED_SLASH = '\0'

// Found before the path is split, for one of nothing else would be split into a list of as many items as it has slashes.
const NO_SEGMENT = /(?:^|\/)\.{0,2}(?:\/|$)/
const PERCENT_SLASH = /%2f/gi
// The escape of a character that `encodeURIComponent` leaves as it is, and any escape with a small letter.
const UNCANONICAL_ESCAPE = /%(?:2[1789ADE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E|[a-f].|.[a-f])/
/** What has a meaning of its own in a declared path or in a URL, so that no literal segment holds it. */
export const RESERVED: RegExp = /[{}%?#\\]/
const CONTROL = /\p{Cc}/u

/**
 * Reads a path as sent: `'malformed'` when it holds an invalid escape, a control character or half a character, or is too
 * long; null when nothing can answer there: no leading slash, an empty segment or a dot segment.
 */
export function parsePath(path: string): UrlPath | 'malformed' | null {
  const text = path.length > MAX_PATH_LENGTH ? undefined : decode(path)
  if (text === undefined) return 'malformed'
  if (text.charCodeAt(0) !== 47) return null
  const hasSlash = text.length > 1 && text.charCodeAt(text.length - 1) === 47
  const inner = text.slice(1, hasSlash ? -1 : undefined)
  const isHome = inner === '' && !hasSlash
  if (!isHome && NO_SEGMENT.test(inner)) return null
  const segments = isHome ? [] : inner.split('/')
  // Decoding makes a path shorter; one without escapes is not looked at again.
  const hasUncanonicalEscape = text.length < path.length && UNCANONICAL_ESCAPE.test(path)
  return { text, segments, hasSlash, hasUncanonicalEscape }
}

/** The text of a segment of a decoded path, with the slashes that came encoded. */
export function plain(segment: string): string {
  return segment.includes(ENCODED_SLASH) ? segment.replaceAll(ENCODED_SLASH, '/') : segment
}

/** Whether a decoded text can be one segment of a path, so that a URL with it comes back as it was. */
export function isSegmentText(text: string): boolean {
  return isSegment(text) && !CONTROL.test(text) && text.isWellFormed()
}

/** Whether a decoded segment stands for something: it is not empty and no dot segment. */
export function isSegment(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..'
}

/** The segments of a path that is written out in a declaration; undefined if it is no path or one of them is not literal. */
export function literalSegments(path: string): readonly string[] | undefined {
  const segments = path.split('/').slice(1)
  if (segments.at(-1) === '') segments.pop()
  const isLiteral = segments.every((segment) => isSegmentText(segment) && !RESERVED.test(segment))
  return path.startsWith('/') && isLiteral ? segments : undefined
}

function decode(path: string): string | undefined {
  if (CONTROL.test(path) || !path.isWellFormed()) return undefined
  if (!path.includes('%')) return path
  let text: string
  try {
    // A NUL cannot come in as itself, so it may mark the slashes that do not split.
    text = decodeURIComponent(path.replace(PERCENT_SLASH, '%00'))
  } catch {
    return undefined
  }
  // The marks that were put in are the only control characters that may be there.
  if (path.includes('%00') || CONTROL.test(text.replaceAll(ENCODED_SLASH, ''))) return undefined
  return text
}
