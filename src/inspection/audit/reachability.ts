import { TrailingSlash } from '../../routing/index.ts'
import { type EntryPoint, type RoutedModule, writePath, type RoutingModel } from '../../routing/internal.ts'
import type { AuditedTable } from './audited-table.ts'
import type { AuditedPath } from './audited-path.ts'
import type { AuditReport } from './report.ts'

/**
 * @param module A module.
 * @param scope The application.
 * @returns Where the module is mounted and never asked.
 */
export function hiddenPoints(module: RoutedModule, { entries }: RoutingModel): readonly EntryPoint[] {
  return entries
    .pointsOf(module)
    .filter((point) => entries.locate(point.prefix)?.candidates.includes(point) !== true)
}

/**
 * Writes the URL of segments behind an entry point in its canonical spelling.
 *
 * @param scope The application.
 * @param point The entry point.
 * @param texts Decoded segments behind it.
 * @returns The path.
 */
export function urlAt(scope: RoutingModel, point: EntryPoint, texts: readonly string[]): string {
  const isHome = texts.length === 0 && point.path.length === 0 && point.locale === scope.locales.default
  const segments = isHome ? [] : [...point.prefix, ...texts]
  return writePath(segments, scope.trailingSlash === TrailingSlash.Add)
}

/**
 * @param scope The application.
 * @param point An entry point.
 * @param path A path of its table.
 * @returns Whether the path is searched for URLs of that entry point.
 */
export function isAnswered(scope: RoutingModel, point: EntryPoint, { variant }: AuditedPath): boolean {
  return !scope.localePrefixes || variant.locale === null || variant.locale === point.locale
}

/**
 * Looks for routes that no URL reaches: something else owns the beginning of their path, or other routes of their table
 * take all that they would.
 *
 * @param audited The table.
 * @param scope The application.
 * @param report Takes the findings.
 */
export function checkReachable(audited: AuditedTable, scope: RoutingModel, report: AuditReport): void {
  const { module, table, paths, label } = audited
  for (const route of table.routes) {
    const own = paths.filter((path) => path.route === route)
    const places = audited.points.flatMap((point) =>
      own.filter((path) => isAnswered(scope, point, path)).map((path) => ({ point, path })),
    )
    const reasons = places.map((place) => ownerElsewhere(scope, place) ?? winnerOver(audited, place.path))
    const [reason] = reasons
    if (reason === undefined || reasons.includes(undefined)) continue
    report.unreachable.add(route.target)
    const [place] = places
    const [method = 'GET'] = own[0]?.variant.methods ?? []
    const texts = place?.path.examples()[0]
    const example =
      place === undefined || texts === undefined ? null : `${method} ${urlAt(scope, place.point, texts)}`
    const message = `no URL reaches ${label(route)} of ${module.label}: ${reason}`
    report.add(module, { code: 'unreachable-route', message, example })
  }
}

interface Place {
  readonly point: EntryPoint
  readonly path: AuditedPath
}

// A longer path begins in the same way, so who owns the literal beginning owns all URLs of the route.
function ownerElsewhere({ entries }: RoutingModel, { point, path }: Place): string | undefined {
  const beginning = [...point.prefix, ...path.literals]
  const location = entries.locate(beginning)
  if (location === null) return undefined
  if (location.candidates.includes(point) && location.consumed === point.prefix.length) return undefined
  const [owner] = location.candidates
  if (owner === undefined || owner === point) return `"/${beginning[0] ?? ''}" is a locale prefix`
  const what = owner.claim === null ? 'the mount' : 'a claim'
  return `${what} "/${owner.prefix.join('/')}" of ${owner.module.label} takes its URLs`
}

function winnerOver(audited: AuditedTable, path: AuditedPath): string | undefined {
  const { methods } = path.variant
  const winners = methods.map((method) =>
    audited.paths.find((other) => {
      if (other.route === path.route || !other.variant.methods.includes(method)) return false
      // Another locale's path is asked only for that locale.
      const isAsked = other.variant.locale === null || other.variant.locale === path.variant.locale
      return isAsked && isBefore(other, path) && other.covers(path)
    }),
  )
  const [winner] = winners
  if (winner === undefined || winners.includes(undefined)) return undefined
  const { priority } = winner.variant.target
  const why =
    priority > path.variant.target.priority
      ? `priority ${priority} before ${path.variant.target.priority}`
      : 'it is declared first and takes every such URL'
  return `${audited.label(winner.route)} wins (${why})`
}

function isBefore(one: AuditedPath, other: AuditedPath): boolean {
  const [first, second] = [one.variant, other.variant]
  if (first.target.priority !== second.target.priority) return first.target.priority > second.target.priority
  return first.rank === second.rank ? first.order < second.order : first.rank < second.rank
}
