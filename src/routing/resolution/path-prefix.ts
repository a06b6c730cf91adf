import { declarationError, sentence, shown, toAsciiLowerCase } from '../../core/internal.ts'
import type { EntryPoints } from './entry-points.ts'
import type { LocalizedPath } from '../declaration/route-collector.ts'
import { isSegment, literalSegments, MAX_PATH_LENGTH, parsePath, plain } from '../url-path.ts'

/** The beginning of paths, as modules and claims declare it: `/ops`, or one for each locale. */
export class PathPrefix {
  /** The segments of each path that was declared. */
  readonly paths: readonly (readonly string[])[]

  /** @throws {TypeError} If a path does not begin with `/`, the beginning of all, or holds what cannot be a segment. */
  constructor(declared: LocalizedPath) {
    const paths: readonly unknown[] =
      typeof declared === 'string' ? [declared] : Object.values(declared ?? {})
    if (paths.length === 0)
      throw declarationError(sentence`Cannot use ${shown(declared)} as a path prefix: use one such as "/ops"`)
    this.paths = paths.map(parsePrefix)
  }
}

/** The segments of a path as the router sees them, with encoded slashes inside of them; none where nothing answers. */
export function segmentsOf(path: string): readonly string[] {
  const read = parsePath(path)
  return Object.freeze(typeof read === 'string' || read === null ? [] : read.segments.map(plain))
}

/** The same of any path: one that is malformed is split and decoded as far as it can be. */
export function looseSegmentsOf(path: string): readonly string[] {
  const [segments = []] = spellingsOf(path.slice(0, MAX_PATH_LENGTH))
  return segments
}

/**
 * Whether the router takes a URL for one below a prefix, however it is spelled: it is, or it is redirected there, or
 * nothing answers it there. In doubt it is.
 */
export function isUnder(entries: EntryPoints, path: string, prefix: PathPrefix): boolean {
  const sent = spellingsOf(path).map((segments) => placeOf(entries, segments))
  return prefix.paths.some((wanted) => {
    const place = placeOf(entries, entries.below(wanted))
    return sent.some((each) => isBelow(each, place))
  })
}

/** Where segments lead, as far as their beginning says. */
interface Place {
  /** The locale that they begin with, or null. */
  readonly locale: string | null
  /** The locales that they may be in. */
  readonly locales: readonly (string | null)[]
  /** The segments without base path and locale, in lower case: as they are, and as the convention spells them. */
  readonly spellings: readonly (readonly string[])[]
}

function placeOf(entries: EntryPoints, segments: readonly string[]): Place {
  const begin = entries.startOf(segments)
  const locale = entries.localeOf(segments[begin] ?? '')
  const start = locale === null ? begin : begin + 1
  const { candidates, consumed } = entries.locate(segments)
  const spellings = [segments.slice(start).map(toAsciiLowerCase)]
  for (const { claim, module } of candidates) {
    if (claim !== null || module.convention === null) continue
    const respelled = module.convention.respell(segments.slice(consumed))
    spellings.push([...segments.slice(start, consumed), ...respelled].map(toAsciiLowerCase))
  }
  return { locale, locales: candidates.map((point) => point.locale), spellings }
}

// A prefix without a locale stands for all of them; one with a locale, for what is in it or is redirected to it.
function isBelow(sent: Place, wanted: Place): boolean {
  if (wanted.locale !== null && wanted.locale !== sent.locale) {
    if (sent.locale !== null || !sent.locales.includes(wanted.locale)) return false
  }
  return wanted.spellings.some((prefix) =>
    sent.spellings.some((segments) => prefix.every((segment, index) => segment === segments[index])),
  )
}

function spellingsOf(path: string): readonly (readonly string[])[] {
  const read = parsePath(path)
  if (typeof read === 'string' || read === null) return looseSegments(path)
  const segments = read.segments.map(plain)
  if (!segments.some((segment) => segment.includes('/'))) return [segments]
  // An encoded slash separates nothing for the router. An action that joins the segments of a rest sees one where it was.
  return [segments, ...looseSegments(segments.join('/'))]
}

// Nothing answers these, but code that looks at the path alone may take them for something below.
function looseSegments(path: string): readonly (readonly string[])[] {
  const given = path.split('/').map(decodeLoosely)
  const resolved: string[] = []
  for (const segment of given) {
    if (segment === '..') resolved.pop()
    else if (isSegment(segment)) resolved.push(segment)
  }
  return [given.filter(isSegment), resolved]
}

function decodeLoosely(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function parsePrefix(declared: unknown): readonly string[] {
  const segments = typeof declared === 'string' ? literalSegments(declared) : undefined
  if (segments !== undefined) return segments
  const mend = sentence`start with "/" and use literal segments, such as "/ops"`
  throw declarationError(sentence`Cannot use ${shown(declared)} as a path prefix: ${mend}`)
}
