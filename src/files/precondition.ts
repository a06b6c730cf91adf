/** Validators of what would be sent. */
export interface Validators {
  /** The strong entity tag, with its quotes; null when there is none. */
  readonly etag: string | null
  /** Value of `Last-Modified`; null when it is not known. */
  readonly modified: string | null
}

/** The headers of a request. */
export type HeaderLookup = (name: string) => string | null

// RFC 9110 section 8.8.3; one tag with the following comma.
const TAG = /[ \t]*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,|$)/y
// RFC 9110 section 5.6.7: the form of today, and two of the past, of which the last names no zone.
const DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT)$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/**
 * Evaluates the preconditions of a GET or HEAD request for a file that exists.
 *
 * @param header The headers of the request.
 * @param validators Validators of the file.
 * @returns 304 when the client has it already, 412 when it asked for another state of it, else null.
 * @see RFC 9110 section 13.2.2.
 */
export function judgePreconditions(header: HeaderLookup, { etag, modified }: Validators): 304 | 412 | null {
  const match = header('if-match')
  if (match !== null) {
    if (!lists(match, etag, 'strong')) return 412
  } else {
    const since = parseDate(header('if-unmodified-since'))
    if (since !== null && modified !== null && Date.parse(modified) > since) return 412
  }
  const noneMatch = header('if-none-match')
  if (noneMatch !== null) return lists(noneMatch, etag, 'weak') ? 304 : null
  const since = parseDate(header('if-modified-since'))
  return since !== null && modified !== null && Date.parse(modified) <= since ? 304 : null
}

/**
 * @param condition Value of `If-Range`; null when it was not sent.
 * @param validators Validators of the file.
 * @param now The time in milliseconds.
 * @returns Whether parts of the file fit the parts that the client has.
 * @see RFC 9110 section 13.1.5: a date counts only when the file cannot have changed twice in that second.
 */
export function allowsRange(condition: string | null, { etag, modified }: Validators, now: number): boolean {
  if (condition === null) return true
  if (/^(?:W\/)?"/.test(condition)) return condition.trim() === etag
  return condition === modified && Date.parse(condition) + 1000 <= now
}

function lists(value: string, etag: string | null, comparison: 'strong' | 'weak'): boolean {
  if (value.trim() === '*') return true
  TAG.lastIndex = 0
  for (let found = TAG.exec(value); found !== null; found = TAG.exec(value)) {
    if (found[2] === etag && (comparison === 'weak' || found[1] === undefined)) return true
    if (TAG.lastIndex >= value.length) break
  }
  return false
}

function parseDate(value: string | null): number | null {
  if (value === null) return null
  const text = ASCTIME.test(value) ? `${value} GMT` : value
  if (text === value && !DATE.test(value)) return null
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : time
}
