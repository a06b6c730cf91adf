import type { EntryPoint, EntryPoints } from './entry-points.ts'
import { NOT_FOUND, type RouteMatch } from './route.ts'
import type { RoutedModule } from './routed-module.ts'
import { Search } from './table/search.ts'
import { SegmentNode } from './table/segment-node.ts'
import type { Levels, Table } from './table/table.ts'
import { TrailingSlash } from './trailing-slash.ts'

const SLASH = 47
const CAPITAL_A = 65
const CAPITAL_Z = 90
const HIGHEST = 126

/** Where a mount or a claim begins when its URL is spelled canonically. */
class Entrance {
  /** The locale that its routes get. */
  readonly locale: string | null
  /** Whether nothing else is asked when the table does not know a path. */
  readonly isFinal: boolean
  /** Whether the next segment might be another spelling of a mount or a locale. */
  readonly isOpen: boolean
  /** Its table as it is searched, once it was. */
  levels: Levels | null = null
  /** Its table; null: the look-up is to be made the long way. */
  readonly #table: Table | null

  constructor(point: EntryPoint | null, table: Table | null) {
    this.locale = point?.locale ?? null
    this.isFinal = point !== null && (point.claim !== null || point.module.steps.length === 1)
    this.isOpen = point?.path.length === 0
    this.#table = table
  }

  /** The table as it is searched, compiled the first time. */
  open(): Levels | null {
    this.levels = this.#table === null ? null : this.#table.levels(this.locale)
    return this.levels
  }
}

const LONG_WAY = new Entrance(null, null)

/**
 * The short way of a look-up: a path that is spelled canonically and needs no decoding is searched as it was sent,
 * first for its mount or claim, then in the one table behind it. Whatever else a path may be, a redirect, an encoded
 * value, a matter for resolvers or the convention, is left to {@link Resolution}, which alone decides by itself.
 */
export class DirectLookup {
  readonly #root = new SegmentNode<Entrance>()
  readonly #search = new Search(true)
  readonly #trailingSlash: TrailingSlash
  // A localized root answers at "/", so its default locale has no page of its own below the prefix.
  #home: Entrance | null = null
  #homeNode: SegmentNode<Entrance> | null = null

  /**
   * @param modules The modules.
   * @param entries Who owns which URLs.
   * @param trailingSlash What becomes of a slash at the end.
   */
  constructor(modules: readonly RoutedModule[], entries: EntryPoints, trailingSlash: TrailingSlash) {
    this.#trailingSlash = trailingSlash
    // Claims first: a module may claim its own segment, and the claim is asked before the mount.
    const points = modules.flatMap((module) =>
      [...module.claims, module].flatMap((owner) => entries.pointsOf(owner)),
    )
    for (const point of points) this.#enter(point.prefix, entranceOf(point))
    // What begins like an entry point in another locale, or in none, is a redirect or nothing.
    const locales = entries.localeSegments
    for (const { path, locale } of points) {
      if (locale !== null) this.#enter(path, LONG_WAY)
      for (const segment of locales) this.#enter([segment, ...path], LONG_WAY)
    }
    for (const segment of locales) this.#enter([segment], LONG_WAY)
    const [home] = entries.root === null ? [] : entries.pointsOf(entries.root)
    if (home === undefined || home.locale === null) return
    this.#home = entranceOf(home)
    this.#homeNode = this.#enter(home.prefix, LONG_WAY)
  }

  /**
   * @param method The HTTP method.
   * @param path The path of the URL as sent.
   * @returns What becomes of the request, or null when it takes the long way.
   * @throws {RoutingException} If a route table that is asked cannot be compiled.
   */
  match(method: string, path: string): RouteMatch | null {
    const search = this.#search
    search.begin(method, path)
    const { limit } = search
    if (this.#isRespelled(path.length, limit) || path.charCodeAt(0) !== SLASH) return null
    if (limit === 0 && this.#home !== null) return this.#findHome(this.#home, path)

    let node = this.#root
    let { entrance } = node
    let entered = 0
    let at = 0
    for (; at < limit && node.slots !== null; at = search.end) {
      const next = node.advance(search, path, at)
      if (next === null) break
      node = next
      if (next.entrance === null) continue
      entrance = next.entrance
      entered = search.end
    }
    if (entrance === null || entrance.isOpen) {
      const isRead = entered === at && at < limit
      if (isRead ? search.mayDiffer : mayDiffer(path, entered + 1, limit)) return null
      if (search.isEscaped(path, entered)) return null
      if (entrance === null) return NOT_FOUND
    }
    if (node === this.#homeNode && entered >= limit) return null
    return this.#find(entrance, path, entered)
  }

  #find(entrance: Entrance, path: string, at: number): RouteMatch | null {
    const search = this.#search
    const levels = entrance.levels ?? entrance.open()
    if (levels === null) return null
    search.locale = entrance.locale
    const route = search.findRoute(levels, path, at)
    if (search.isOdd || route !== null) return search.isOdd ? null : route
    if (search.refusal !== null) return search.refusal
    return entrance.isFinal && !search.isEscaped(path, search.scanned) ? NOT_FOUND : null
  }

  #findHome(home: Entrance, path: string): RouteMatch | null {
    const levels = home.levels ?? home.open()
    this.#search.locale = null
    return levels === null ? null : this.#search.findRoute(levels, path, 0)
  }

  #isRespelled(length: number, limit: number): boolean {
    if (length === 1 || this.#trailingSlash === TrailingSlash.Preserve) return false
    return (limit === length) === (this.#trailingSlash === TrailingSlash.Add)
  }

  #enter(path: readonly string[], entrance: Entrance): SegmentNode<Entrance> {
    let node = this.#root
    for (const segment of path) node = node.literal(segment)
    node.entrance ??= entrance
    return node
  }
}

// Whether a segment may be a mount or a locale in another spelling: when it has a capital or a foreign letter.
function mayDiffer(path: string, start: number, limit: number): boolean {
  for (let at = start; at < limit; at++) {
    const code = path.charCodeAt(at)
    if (code === SLASH) return false
    if ((code >= CAPITAL_A && code <= CAPITAL_Z) || code > HIGHEST) return true
  }
  return false
}

function entranceOf(point: EntryPoint): Entrance {
  const [first] = point.module.steps
  const table = point.claim?.table ?? (first?.kind === 'table' ? first.table : null)
  return table === null ? LONG_WAY : new Entrance(point, table)
}
