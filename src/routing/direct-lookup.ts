import type { EntryPoint, EntryPoints } from './entry-points.ts'
import { NOT_FOUND, type RouteMatch } from './route.ts'
import type { RoutedModule } from './routed-module.ts'
import { Probe } from './table/probe.ts'
import { type Entrance, hashStep, SegmentNode } from './table/segment-node.ts'
import { findRoute, type Levels, type Table } from './table/table.ts'
import { TrailingSlash } from './trailing-slash.ts'

const SLASH = 47
const PERCENT = 37

/** Sends a look-up the long way. */
const LONG_WAY: Entrance = { levels: null, locale: null, isFinal: false, isOpen: false }

/**
 * The short way of a look-up: a path that is spelled canonically and needs no decoding is searched as it was sent,
 * first for its mount or claim, then in the one table behind it. Whatever else a path may be, a redirect, an encoded
 * value, a matter for resolvers or the convention, is left to {@link Resolution}, which alone decides by itself.
 */
export class DirectLookup {
  readonly #root = new SegmentNode()
  readonly #probe = new Probe()
  readonly #trailingSlash: TrailingSlash
  // A localized root answers at "/", so its default locale has no page of its own below the prefix.
  #home: Entrance | null = null
  #homeNode: SegmentNode | null = null

  /**
   * @param modules The modules.
   * @param entries Who owns which URLs.
   * @param trailingSlash What becomes of a slash at the end.
   */
  constructor(modules: readonly RoutedModule[], entries: EntryPoints, trailingSlash: TrailingSlash) {
    this.#trailingSlash = trailingSlash
    const points = modules.flatMap((module) =>
      [module, ...module.claims].flatMap((owner) => entries.pointsOf(owner)),
    )
    for (const point of points) this.#enter(point.prefix, entranceOf(point))
    // What begins like an entry point in another locale, or in none, is a redirect or nothing.
    const locales = entries.localeSegments
    for (const { path, locale } of points) {
      if (locale !== null) this.#block(path)
      for (const segment of locales) this.#block([segment, ...path])
    }
    for (const segment of locales) this.#block([segment])
    const [home] = entries.root === null ? [] : entries.pointsOf(entries.root)
    if (home !== undefined && home.locale !== null) {
      this.#home = entranceOf(home)
      this.#homeNode = this.#enter(home.prefix, LONG_WAY)
    }
  }

  /**
   * @param method The HTTP method.
   * @param path The path of the URL as sent.
   * @returns What becomes of the request, or null when it takes the long way.
   * @throws {RoutingException} If a route table that is asked cannot be compiled.
   */
  match(method: string, path: string): RouteMatch | null {
    const probe = this.#probe
    probe.begin(method, path, true)
    const { limit } = probe
    if (path.charCodeAt(0) !== SLASH || this.#isRespelled(path.length, limit)) return null
    if (limit === 0 && this.#home !== null) return searchHome(this.#home, probe)

    let node = this.#root
    let { entrance } = node
    let at = 0
    for (let behind = 0; node.slots !== null && behind < limit;) {
      const start = behind + 1
      let hash = 0
      for (behind = start; behind < limit; behind++) {
        const code = path.charCodeAt(behind)
        if (code === SLASH) break
        hash = hashStep(hash, code)
      }
      const next = node.at(path, start, hash)
      if (next === null) break
      node = next
      if (next.entrance !== null) {
        entrance = next.entrance
        at = behind
      }
    }
    if ((entrance === null || entrance.isOpen) && isSuspicious(path, at + 1, limit)) return null
    if (entrance === null) return path.includes('%') ? null : NOT_FOUND
    if (node === this.#homeNode && at >= limit) return null
    return search(entrance, probe, at)
  }

  #isRespelled(length: number, limit: number): boolean {
    if (length === 1 || this.#trailingSlash === TrailingSlash.Preserve) return false
    return (limit === length) === (this.#trailingSlash === TrailingSlash.Add)
  }

  #enter(path: readonly string[], entrance: Entrance): SegmentNode {
    let node = this.#root
    for (const segment of path) node = node.literal(segment)
    node.entrance ??= entrance
    return node
  }

  #block(path: readonly string[]): void {
    this.#enter(path, LONG_WAY)
  }
}

function searchHome({ levels }: Entrance, probe: Probe): RouteMatch | null {
  probe.locale = null
  return levels === null ? null : findRoute(levels, probe, 0)
}

function search(entrance: Entrance, probe: Probe, at: number): RouteMatch | null {
  const { levels } = entrance
  if (levels === null) return null
  probe.locale = entrance.locale
  const route = findRoute(levels, probe, at)
  if (probe.isOdd || route !== null) return probe.isOdd ? null : route
  if (probe.refusal !== null) return probe.refusal
  return entrance.isFinal && !probe.text.includes('%') ? NOT_FOUND : null
}

// Whether a segment might be a mount or a locale in another spelling: it has a capital, an escape or a foreign letter.
function isSuspicious(path: string, start: number, limit: number): boolean {
  for (let at = start; at < limit; at++) {
    const code = path.charCodeAt(at)
    if (code === SLASH) return false
    if ((code >= 65 && code <= 90) || code === PERCENT || code > 126) return true
  }
  return false
}

/** The entrance of an entry point, whose table is compiled when it is first searched. */
class LazyEntrance implements Entrance {
  readonly locale: string | null
  readonly isFinal: boolean
  readonly isOpen: boolean
  readonly #table: Table
  #levels: Levels | null = null

  constructor(point: EntryPoint, table: Table) {
    this.locale = point.locale
    this.isFinal = point.claim !== null || point.module.steps.length === 1
    this.isOpen = point.path.length === 0
    this.#table = table
  }

  get levels(): Levels {
    this.#levels ??= this.#table.levels(this.locale)
    return this.#levels
  }
}

function entranceOf(point: EntryPoint): Entrance {
  const [first] = point.module.steps
  const table = point.claim?.table ?? (first?.kind === 'table' ? first.table : null)
  return table === null ? LONG_WAY : new LazyEntrance(point, table)
}
