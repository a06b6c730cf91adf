import { toAsciiLowerCase } from '../../core/internal.ts'
import type { ConventionalUrls } from '../convention/convention.ts'
import type { EntryPoint, EntryPoints } from '../resolution/entry-points.ts'
import { NOT_FOUND, Route, type RouteMatch } from '../route.ts'
import type { RoutedModule } from '../routed-module.ts'
import { StaticPaths } from './static-paths.ts'
import type { Spelling } from '../spelling.ts'
import { Search } from '../table/search.ts'
import { SegmentNode } from '../table/segment-node.ts'
import type { Table } from '../table/table.ts'
import { isSegment } from '../url-path.ts'

const SLASH = 47
const CAPITAL_A = 65
const CAPITAL_Z = 90

/** A mount or a claim, as the fast path enters it: by its canonical spelling. */
class Entrance {
  readonly locale: string | null
  /** Whether nothing else is asked when the table does not know a path. */
  readonly isFinal: boolean
  /** Whether the next segment might be another spelling of a mount or a locale. */
  readonly isOpen: boolean
  /** Whether its URLs end with a slash, whatever the policy says; null: as the policy says. */
  readonly slash: boolean | null
  /** The trees of its table; null before the first lookup. */
  levels: readonly SegmentNode[] | null = null
  /** The convention, when it is asked next to the table. */
  readonly convention: ConventionalUrls | null
  /** The module; null: the slow path decides. */
  readonly module: RoutedModule | null
  readonly #table: Table | null

  constructor(point: EntryPoint | null) {
    const [first, second] = point?.steps ?? []
    const table = first?.kind === 'table' ? first.table : null
    const next = table === null ? first : second
    this.locale = point?.locale ?? null
    this.isFinal = table !== null && next === undefined
    this.isOpen = point?.path.length === 0
    this.slash = point?.slash ?? null
    this.convention = next?.kind === 'convention' ? next.convention : null
    this.module = point?.module ?? null
    this.#table = table
  }

  /** The trees of its table, which is compiled the first time. */
  open(): readonly SegmentNode[] | null {
    return (this.levels = this.#table?.levels(this.locale) ?? null)
  }
}

const SLOW_PATH = new Entrance(null)

/**
 * The fast path of a lookup: a path that is spelled canonically and needs no decoding is searched as it was sent,
 * first for its mount or claim, then in the one table behind it, then in the convention. Whatever else a path may be, a
 * redirect, an encoded value, a matter for resolvers, is left to {@link Resolution}, which alone decides by itself.
 */
export class FastPath {
  readonly #root = new SegmentNode<Entrance>()
  readonly #search = new Search(true)
  readonly #static = new StaticPaths()
  readonly #slash: boolean | null
  // Every path that is answered begins with it; the search enters behind it.
  readonly #basePath: string
  // A localized root answers at "/", so its default locale has no page of its own below the prefix.
  #home: Entrance | null = null

  constructor(modules: readonly RoutedModule[], entries: EntryPoints, spelling: Spelling) {
    this.#slash = spelling.slash
    this.#basePath = spelling.basePath
    const base = spelling.baseSegments
    // Claims first: a module may claim its own segment, and the claim is asked before the mount.
    const points = modules.flatMap((module) =>
      [...module.claims, module].flatMap((owner) => entries.pointsOf(owner)),
    )
    const behindBase = ({ prefix }: EntryPoint): readonly string[] => prefix.slice(base.length)
    for (const point of points) this.#enter(behindBase(point), new Entrance(point))
    if (base.length > 0) this.#enter(base.slice(0, 1), SLOW_PATH)
    // What begins like an entry point in another locale, or in none, is a redirect or nothing.
    const locales = spelling.localePrefixes ? spelling.locales.map(toAsciiLowerCase) : []
    for (const { path, locale } of points) {
      if (locale !== null) this.#enter(path, SLOW_PATH)
      for (const segment of locales) this.#enter([segment, ...path], SLOW_PATH)
    }
    for (const segment of locales) this.#enter([segment], SLOW_PATH)
    const [home] = entries.root === null ? [] : entries.pointsOf(entries.root)
    if (home !== undefined && home.locale !== null) this.#home = this.#enter(behindBase(home), SLOW_PATH)
  }

  /** What becomes of a request, by the path as it was sent; null: it takes the slow path. */
  match(method: string, path: string): RouteMatch | null {
    const known = this.#static.find(method, path)
    if (known !== null) return known
    const search = this.#search
    if (search.isReading) return null
    search.begin(method, path)
    const { limit } = search
    const begin = this.#basePath.length
    const hasSlash = limit !== path.length
    if (this.#slash !== null && this.#slash !== hasSlash && path.length !== begin + 1) return null
    // The home page ends with a slash, so that a path without one begins no entry point.
    if (path.charCodeAt(begin) !== SLASH || (begin !== 0 && !path.startsWith(this.#basePath))) return null
    if (limit === begin && this.#home !== null) return this.#findHome(this.#home, path)

    let node = this.#root
    let { entrance } = node
    let entered = begin
    let at = begin
    for (; at < limit && node.slots !== null; at = search.end) {
      const next = node.advance(search, path, at)
      if (next === null) break
      node = next
      if (next.entrance === null) continue
      entrance = next.entrance
      entered = search.end
    }
    if (entrance === null || entrance.isOpen) {
      // Behind the end nothing was read, and nothing differs.
      const isRead = entered === at
      if (isRead ? search.mayDiffer : mayDiffer(path, entered + 1, limit)) return null
      if (search.isEscaped(path, search.known > entered ? search.known : entered)) return null
      if (entrance === null) return NOT_FOUND
    }
    if (entrance === this.#home && entered >= limit) return null
    if (entrance.slash !== null && entrance.slash !== hasSlash) return null
    return this.#find(entrance, path, entered)
  }

  #find(entrance: Entrance, path: string, at: number): RouteMatch | null {
    const search = this.#search
    const levels = entrance.levels ?? entrance.open()
    if (levels !== null) {
      search.locale = entrance.locale
      const answer = search.findRoute(levels, path, at) ?? search.refusal
      if (search.needsDecoding) return null
      if (answer !== null) {
        if (search.isStatic) this.#static.add(search.method, path, answer)
        return answer
      }
      if (entrance.isFinal) return search.isEscaped(path, search.scanned) ? null : NOT_FOUND
    }
    return entrance.convention === null ? null : this.#askConvention(entrance, path, at)
  }

  // Only what is found as it was sent is certain: the slow path redirects other spellings and answers the rest.
  #askConvention({ convention, module, locale }: Entrance, path: string, at: number): RouteMatch | null {
    const search = this.#search
    if (search.isEscaped(path, at)) return null
    const segments = at < search.limit ? path.slice(at + 1, search.limit).split('/') : []
    const found = convention?.find(search.method, segments)
    if (!found || !('action' in found) || module === null) return null
    const { action, args, canonical } = found
    if (canonical.length !== segments.length) return null
    for (let index = 0; index < segments.length; index++) {
      const segment = segments[index] ?? ''
      if (segment !== canonical[index] || !isSegment(segment)) return null
    }
    return new Route(module.targetOf(action), args, locale)
  }

  #findHome(home: Entrance, path: string): RouteMatch | null {
    const levels = home.levels ?? home.open()
    this.#search.locale = home.locale
    return levels === null ? null : this.#search.findRoute(levels, path, this.#basePath.length)
  }

  // What was entered first stays.
  #enter(path: readonly string[], entrance: Entrance): Entrance {
    let node = this.#root
    for (const segment of path) node = node.follow(new SegmentNode(segment))
    return (node.entrance ??= entrance)
  }
}

// Whether a segment may be a mount or a locale in capitals. A foreign letter was to be encoded: it is found with the escapes.
function mayDiffer(path: string, start: number, limit: number): boolean {
  for (let at = start; at < limit; at++) {
    const code = path.charCodeAt(at)
    if (code === SLASH) return false
    if (code >= CAPITAL_A && code <= CAPITAL_Z) return true
  }
  return false
}
