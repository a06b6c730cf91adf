import { decidingRule, type EntryPoint, type RoutingModel } from '../../routing/internal.ts'
import type { AuditedTable } from './audited-table.ts'
import type { AuditedPath } from './audited-path.ts'
import type { AuditReport } from './report.ts'

/**
 * Looks for pairs of routes of one table that take the same URL, and says which of them answers it. That the more
 * specific path or the higher priority wins is how it is meant; that the order of declaration decides is a fault.
 *
 * @param audited The table.
 * @param scope The application.
 * @param report Takes the findings.
 */
export function checkPairs(audited: AuditedTable, scope: RoutingModel, report: AuditReport): void {
  const told = new Set<string>()
  for (const group of byFirstSegment(audited.paths)) {
    for (const [index, one] of group.entries()) {
      for (const other of group.slice(index + 1)) {
        if (!mayMeet(one, other, scope)) continue
        const key = `${one.variant.order} ${other.variant.order}`
        if (told.has(key) || !checkPair([one, other], { audited, scope, report })) continue
        told.add(key)
      }
    }
  }
}

interface Checked {
  readonly audited: AuditedTable
  readonly scope: RoutingModel
  readonly report: AuditReport
}

function checkPair([one, other]: readonly [AuditedPath, AuditedPath], checked: Checked): boolean {
  const { audited, scope, report } = checked
  if (report.unreachable.has(one.variant.target) || report.unreachable.has(other.variant.target)) return false
  const method = commonMethod(one, other)
  const point = audited.points.find(({ locale }) =>
    [one, other].every(({ variant }) => scope.spelling.answersIn(variant.locale, locale)),
  )
  if (method === undefined || point === undefined) return false
  const shown = findExample([one, other], { scope, point, method })
  if (shown === undefined) return false

  const { example, winner, loser } = shown
  const first = audited.table.describe(winner.route)
  const second = audited.table.describe(loser.route)
  const { code, severity, reason } = judge(winner, loser)
  const message = `${first} and ${second} of ${audited.module.label} take the same URL: ${reason}`
  report.add(audited.module, { code, severity, message, example, winner: first })
  return true
}

interface Example {
  readonly example: string
  readonly winner: AuditedPath
  readonly loser: AuditedPath
}

// A URL that both paths take may be answered by a third one, or be owned by a claim; then it is no example.
function findExample(
  [one, other]: readonly [AuditedPath, AuditedPath],
  {
    scope,
    point,
    method,
  }: { readonly scope: RoutingModel; readonly point: EntryPoint; readonly method: string },
): Example | undefined {
  for (const texts of one.common(other, method)) {
    const url = scope.spelling.path(point, texts, false)
    const target = scope.verify(method, url)?.target
    const example = `${method} ${url}`
    if (target === one.variant.target) return { example, winner: one, loser: other }
    if (target === other.variant.target) return { example, winner: other, loser: one }
  }
  return undefined
}

function judge(
  winner: AuditedPath,
  loser: AuditedPath,
): {
  code: 'shadowed-by-priority' | 'shadowed-by-specificity' | 'ambiguous-routes'
  severity: 'fault' | 'note'
  reason: string
} {
  const rule = decidingRule(winner.variant, loser.variant)
  if (rule === 'priority') {
    const [first, second] = [winner.variant.target.priority, loser.variant.target.priority]
    const reason = `the first wins by priority, ${first} before ${second}`
    return { code: 'shadowed-by-priority', severity: 'note', reason }
  }
  if (rule === 'declaration') {
    const reason =
      'only the order of declaration decides; give one of them a priority() or narrow its where()'
    return { code: 'ambiguous-routes', severity: 'fault', reason }
  }
  const [one, other] = [winner.variant.rank, loser.variant.rank]
  const at = Array.from(one).findIndex((rank, index) => rank !== other[index])
  const reason = `the first wins, being more specific at segment ${at + 1}: ${RANKS[one[at] ?? ''] ?? 'nothing'} before ${RANKS[other[at] ?? ''] ?? 'the end'}`
  return { code: 'shadowed-by-specificity', severity: 'note', reason }
}

const RANKS: Readonly<Record<string, string>> = {
  0: 'literal text',
  1: 'a constrained placeholder',
  2: 'a free placeholder',
  3: 'the rest of the path',
}

function commonMethod(one: AuditedPath, other: AuditedPath): string | undefined {
  return one.variant.methods.find((method) => other.variant.methods.includes(method))
}

// Cheap, for there are many pairs: different literals somewhere, or different lengths.
function mayMeet(one: AuditedPath, other: AuditedPath, { spelling }: RoutingModel): boolean {
  if (one.route === other.route) return false
  if (!spelling.shareUrls(one.variant.locale, other.variant.locale)) return false
  if (one.tail === null && other.tail === null && one.segments.length !== other.segments.length) return false
  return one.segments.every((segment, index) => {
    const literal = other.segments[index]?.literal ?? null
    return segment.literal === null || literal === null || segment.literal === literal
  })
}

// Routes that begin with different literals never meet; those that begin otherwise meet all.
function byFirstSegment(paths: readonly AuditedPath[]): readonly (readonly AuditedPath[])[] {
  const open = paths.filter(({ segments }) => (segments[0]?.literal ?? null) === null)
  const closed = paths.filter(({ segments }) => (segments[0]?.literal ?? null) !== null)
  const groups = [...Map.groupBy(closed, ({ segments }) => segments[0]?.literal).values()]
  if (groups.length === 0) return [open]
  return groups.map((group) => [...group, ...open])
}
