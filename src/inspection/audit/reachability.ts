import { comparePrecedence, type EntryPoint, type RoutedModule } from '../../routing/internal.ts'
import type { AuditedPath, AuditedTable, Place } from './audited-path.ts'
import type { AuditReport } from './report.ts'

/** Where a module is mounted and never asked. */
export function hiddenPoints(module: RoutedModule, { model }: AuditReport): readonly EntryPoint[] {
  const { entries } = model
  const points = entries.pointsOf(module)
  return points.filter((point) => !entries.locate(point.prefix).candidates.includes(point))
}

/**
 * Looks for routes that no URL reaches: something else owns the beginning of their path, or other routes of their table
 * take all that they would.
 */
export function checkReachable(audited: AuditedTable, report: AuditReport): void {
  const { module, table, points, paths } = audited
  const { spelling } = report.model
  for (const [route, own] of Map.groupBy(paths, (path) => path.route)) {
    const places = points.flatMap((point) =>
      own
        .filter(({ variant }) => spelling.answersIn(variant.locale, point.locale))
        .map((path) => ({ point, path })),
    )
    const reasons = places.map(
      (place) => ownerElsewhere(place, report) ?? winnerOver(place.path, audited, report),
    )
    const [place] = places
    const [reason] = reasons
    if (place === undefined || reason === undefined || reasons.includes(undefined)) continue
    report.unreachable.add(route.target)
    const message = `no URL reaches ${table.describe(route)} of ${module.label}: ${reason}`
    const example = report.exampleOf(place, place.path.examples())
    report.add(module, { code: 'unreachable-route', message, example })
  }
}

// A longer path begins in the same way, so who owns the literal beginning owns all URLs of the route.
function ownerElsewhere({ point, path }: Place, { model }: AuditReport): string | undefined {
  const beginning = [...point.prefix, ...path.literals]
  const { candidates, consumed } = model.entries.locate(beginning)
  if (candidates.includes(point) && consumed === point.prefix.length) return undefined
  const [owner] = candidates
  if (owner === undefined) return undefined
  if (owner === point) return `"/${beginning[model.spelling.baseSegments.length] ?? ''}" is a locale prefix`
  const what = owner.claim === null ? 'the mount' : 'a claim'
  return `${what} "/${owner.prefix.join('/')}" of ${owner.module.label} takes its URLs`
}

function winnerOver(
  path: AuditedPath,
  { table, paths }: AuditedTable,
  { model }: AuditReport,
): string | undefined {
  const { methods } = path.variant
  const winners = methods.map((method) =>
    paths.find((other) => {
      if (other.route === path.route || !other.variant.methods.includes(method)) return false
      // Another locale's path is asked only for that locale.
      const isAsked = model.spelling.answersIn(other.variant.locale, path.variant.locale)
      return isAsked && comparePrecedence(other.variant, path.variant) < 0 && other.covers(path)
    }),
  )
  const [winner] = winners
  if (winner === undefined || winners.includes(undefined)) return undefined
  // Of one priority, two such paths do not compile, or the one that takes less is tried first.
  const why = `priority ${winner.variant.target.priority} before ${path.variant.target.priority}`
  return `${table.describe(winner.route)} wins (${why})`
}
