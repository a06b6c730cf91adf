import { decidingRule, type Variant } from '../../routing/internal.ts'
import type { AuditedPath, AuditedTable } from './audited-path.ts'
import type { RouteFinding } from './finding.ts'
import type { AuditReport } from './report.ts'

const RANKS = ['literal text', 'a constrained placeholder', 'a free placeholder', 'the rest of the path']

/**
 * Looks for pairs of routes of one table that take the same URL, and says which of them answers it. That the more
 * specific path or the higher priority wins is how it is meant; that the order of declaration decides is a fault.
 */
export function checkPairs(audited: AuditedTable, report: AuditReport): void {
  const reported = new Set<string>()
  for (const group of byFirstSegment(audited.paths)) {
    for (const [index, one] of group.entries()) {
      for (const other of group.slice(index + 1)) {
        if (!mayMeet(one, other, report)) continue
        const key = `${one.variant.order} ${other.variant.order}`
        if (!reported.has(key) && checkPair([one, other], audited, report)) reported.add(key)
      }
    }
  }
}

function checkPair(
  [one, other]: readonly [AuditedPath, AuditedPath],
  { module, table, points }: AuditedTable,
  report: AuditReport,
): boolean {
  const { spelling, resolution } = report.model
  const method = one.variant.methods.find((each) => other.variant.methods.includes(each))
  const point = points.find(({ locale }) =>
    [one, other].every(({ variant }) => spelling.answersIn(variant.locale, locale)),
  )
  if (method === undefined || point === undefined) return false
  for (const texts of one.common(other, method)) {
    const url = spelling.path(point, texts, false)
    const target = resolution.verify(method, url)?.target
    // A URL that both paths take may be answered by a third one, or be owned by a claim; then it is no example.
    if (target !== one.variant.target && target !== other.variant.target) continue
    const [first, second] = target === one.variant.target ? [one, other] : [other, one]
    const winner = table.describe(first.route)
    const { code, reason } = judge(first.variant, second.variant)
    const message = `${winner} and ${table.describe(second.route)} of ${module.label} take the same URL: ${reason}`
    report.add(module, { code, message, example: `${method} ${url}`, winner })
    return true
  }
  return false
}

function judge(winner: Variant, loser: Variant): Pick<RouteFinding, 'code'> & { readonly reason: string } {
  const rule = decidingRule(winner, loser)
  if (rule === 'priority') {
    const [first, second] = [winner.target.priority, loser.target.priority]
    const reason = `the first wins by priority, ${first} before ${second}`
    return { code: 'shadowed-by-priority', reason }
  }
  if (rule === 'declaration') {
    const reason =
      'only the order of declaration decides; give one of them a priority() or narrow its where()'
    return { code: 'ambiguous-routes', reason }
  }
  const at = Array.from(winner.rank).findIndex((rank, index) => rank !== loser.rank[index])
  const [first, second] = [winner, loser].map(({ rank }) => RANKS[Number(rank[at])])
  const reason = `the first wins, being more specific at segment ${at + 1}: ${first} before ${second}`
  return { code: 'shadowed-by-specificity', reason }
}

// Cheap, for there are many pairs: different literals somewhere, or different lengths.
function mayMeet(one: AuditedPath, other: AuditedPath, { model, unreachable }: AuditReport): boolean {
  if (one.route === other.route) return false
  if (unreachable.has(one.route.target) || unreachable.has(other.route.target)) return false
  if (!model.spelling.shareUrls(one.variant.locale, other.variant.locale)) return false
  if (one.tail === null && other.tail === null && one.segments.length !== other.segments.length) return false
  return one.segments.every((segment, index) => {
    const literal = other.segments[index]?.literal ?? null
    return segment.literal === null || literal === null || segment.literal === literal
  })
}

// Routes that begin with different literals never meet; those that begin otherwise meet all.
function byFirstSegment(paths: readonly AuditedPath[]): readonly (readonly AuditedPath[])[] {
  const groups = Map.groupBy(paths, ({ segments }) => segments[0]?.literal ?? null)
  const open = groups.get(null) ?? []
  groups.delete(null)
  if (groups.size === 0) return [open]
  return Array.from(groups.values(), (group) => [...group, ...open])
}
