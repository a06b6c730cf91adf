import { declarationError, shown, toAsciiLowerCase } from '../../core/internal.ts'
import type { EntryPoints } from './entry-points.ts'
import type { LocalizedPath } from '../declaration/route-collector.ts'
import { literalSegments, parsePath, plain } from '../url-path.ts'

/** The beginning of paths, as modules and claims declare it: `/ops`, or one for each locale. */
export class PathPrefix {
  /** The segments of each spelling that was declared, in lower case. */
  readonly paths: readonly (readonly string[])[]

  /**
   * @param declared The path, or one for each locale; `/` is the beginning of every path.
   * @throws {TypeError} If it does not begin with `/`, or holds what cannot be a segment.
   */
  constructor(declared: LocalizedPath) {
    const paths: readonly unknown[] =
      typeof declared === 'string' ? [declared] : Object.values(declared ?? {})
    if (paths.length === 0)
      throw declarationError(
        `Cannot use ${shown(declared)} as the beginning of a path: give "/ops", for example`,
      )
    this.paths = paths.map(parsePrefix)
  }
}

/**
 * The segments of a path as the router sees them: decoded once, with encoded slashes inside of them.
 *
 * @param path The path as sent.
 * @returns The segments; none for `/`, and none for a path that nothing answers: a malformed one, or one with empty
 * segments or dot segments.
 */
export function segmentsOf(path: string): readonly string[] {
  const read = parsePath(path)
  return Object.freeze(typeof read === 'string' || read === null ? [] : read.segments.map(plain))
}

/**
 * Whether the router takes a URL for one below a prefix, however it is spelled: it is, or it is redirected there, or
 * nothing answers it there. In doubt it is.
 *
 * @param entries Who owns which URLs.
 * @param path The path as sent.
 * @param prefix The prefix.
 * @returns Whether it is below.
 */
export function isUnder(entries: EntryPoints, path: string, prefix: PathPrefix): boolean {
  const read = parsePath(path)
  const spellings =
    typeof read === 'string' || read === null ? looseSegments(path) : spellingsOf(read.segments.map(plain))
  const sent = spellings.map((segments) => placeOf(entries, segments))
  return prefix.paths.some((wanted) => {
    const place = placeOf(entries, wanted)
    return sent.some((each) => isBelow(each, place))
  })
}

/** Where segments lead, as far as their beginning says. */
interface Place {
  /** The locale that they begin with, or null. */
  readonly locale: string | null
  /** The locales that they may be in. */
  readonly locales: readonly (string | null)[]
  /** The segments without locale, in lower case: as they are, and as the convention spells them. */
  readonly spellings: readonly (readonly string[])[]
}

function placeOf(entries: EntryPoints, segments: readonly string[]): Place {
  const locale = entries.localeOf(segments[0] ?? '')
  const rest = locale === null ? segments : segments.slice(1)
  const location = entries.locate(segments)
  const spellings = [rest.map(toAsciiLowerCase)]
  const locales: (string | null)[] = []
  for (const { claim, module, locale: own } of location?.candidates ?? []) {
    locales.push(own)
    if (claim !== null || module.convention === null || location === null) continue
    const entry = segments.slice(locale === null ? 0 : 1, location.consumed)
    const respelled = module.convention.respell(segments.slice(location.consumed))
    spellings.push([...entry, ...respelled].map(toAsciiLowerCase))
  }
  return { locale, locales, spellings }
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

// An encoded slash separates nothing for the router. An action that joins the segments of a rest sees one where it was.
function spellingsOf(segments: readonly string[]): readonly (readonly string[])[] {
  if (!segments.some((segment) => segment.includes('/'))) return [segments]
  return [segments, ...looseSegments(segments.join('/'))]
}

// Nothing answers these, but code that looks at the path alone may take them for something below.
function looseSegments(path: string): readonly (readonly string[])[] {
  const given = path.split('/').map(decodeLoosely)
  const plainly = given.filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
  const resolved: string[] = []
  for (const segment of given) {
    if (segment === '..') resolved.pop()
    else if (segment !== '' && segment !== '.') resolved.push(segment)
  }
  return [plainly, resolved]
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
  const mend = 'begin with "/" and give literal segments, such as "/ops"'
  throw declarationError(`Cannot use ${shown(declared)} as the beginning of a path: ${mend}`)
}
