/** A part of a file: the first and the last byte. */
export interface ByteRange {
  /** Position of the first byte. */
  readonly first: number
  /** Position of the last byte. */
  readonly last: number
}

/** What a request asks for: everything, nothing that exists, or parts. */
export type AskedRanges = 'all' | 'none' | readonly ByteRange[]

// More parts than a reader of documents asks for. Many small or overlapping ones cost more than the whole file.
const MAX_RANGES = 16
// Blanks behind a comma belong to one place of the expression only: where two places could take them, a header of blanks and
// commas is tried in every way.
const RANGES = /^bytes=[ \t,]*(?:\d+-\d*|-\d+)(?:[ \t]*,(?:[ \t]*(?:\d+-\d*|-\d+))?)*[ \t]*$/i
const ONE = /(\d*)-(\d*)/g

/**
 * Reads a `Range` header. A malformed one, another unit and too many parts mean the whole file, which RFC 9110 allows.
 *
 * @param header Value of the header.
 * @param size Length of the file in bytes.
 * @returns The parts in the order of the request, none overlapping another.
 * @see RFC 9110 sections 14.1.2 and 14.2.
 */
export function parseRanges(header: string, size: number): AskedRanges {
  if (!RANGES.test(header)) return 'all'
  const asked = [...header.matchAll(ONE)]
  if (asked.length > MAX_RANGES) return 'all'
  const ranges: ByteRange[] = []
  for (const [, from = '', to = ''] of asked) {
    const range = from === '' ? suffix(Number(to), size) : { first: Number(from), last: end(to, size) }
    // The last byte before the first one makes the whole header invalid (RFC 9110 section 14.1.1).
    if (from !== '' && to !== '' && Number(to) < Number(from)) return 'all'
    if (range.first < size && range.first <= range.last) ranges.push(range)
  }
  if (ranges.length === 0) return 'none'
  return overlap(ranges) ? 'all' : ranges
}

function suffix(length: number, size: number): ByteRange {
  return { first: Math.max(0, size - length), last: length === 0 ? -1 : size - 1 }
}

function end(to: string, size: number): number {
  return to === '' ? size - 1 : Math.min(Number(to), size - 1)
}

function overlap(ranges: readonly ByteRange[]): boolean {
  const sorted = ranges.toSorted((one, other) => one.first - other.first)
  return sorted.some(({ first }, index) => index > 0 && first <= (sorted[index - 1]?.last ?? -1))
}
