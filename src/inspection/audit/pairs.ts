import { decidingRule } from '../../routing/internal.ts'
import type { AuditedPath, AuditedTable } from './audited-path.ts'
import type { RouteFinding } from './finding.ts'
import type { AuditReport } from './report.ts'

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

type Pair = readonly [AuditedPath, AuditedPath]

function checkPair(pair: Pair, audited: AuditedTable, report: AuditReport): boolean {
  const { module, table } = audited
  const shown = findExample(pair, audited, report)
  if (shown === undefined) return false
  const { example, winner, loser } = shown
  const [first, second] = [table.describe(winner.route), table.describe(loser.route)]
  const { code, reason } = judge(winner, loser)
  const message = `${first} and ${second} of ${module.label} take the same URL: ${reason}`
  report.add(module, { code, message, example, winner: first })
  return true
}

interface Example {
  readonly example: string
  readonly winner: AuditedPath
  readonly loser: AuditedPath
}

// A URL that both paths take may be answered by a third one, or be owned by a claim; then it is no example.
function findExample([one, other]: Pair, { points }: AuditedTable, report: AuditReport): Example | undefined {
  const { spelling, resolution } = report.model
  const method = one.variant.methods.find((each) => other.variant.methods.includes(each))
  const point = points.find(({ locale }) =>
    [one, other].every(({ variant }) => spelling.answersIn(variant.locale, locale)),
  )
  if (method === undefined || point === undefined) return undefined
  for (const texts of one.common(other, method)) {
    const url = spelling.path(point, texts, false)
    const target = resolution.verify(method, url)?.target
    const example = `${method} ${url}`
    if (target === one.variant.target) return { example, winner: one, loser: other }
    if (target === other.variant.target) return { example, winner: other, loser: one }
  }
  return undefined
}

function judge(
  { variant: winner }: AuditedPath,
  { variant: loser }: AuditedPath,
): Pick<RouteFinding, 'code'> & { readonly reason: string } {
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
  const first = RANKS[winner.rank[at] ?? ''] ?? 'nothing'
  const second = RANKS[loser.rank[at] ?? ''] ?? 'the end'
  const reason = `the first wins, being more specific at segment ${at + 1}: ${first} before ${second}`
  return { code: 'shadowed-by-specificity', reason }
}

const RANKS: Readonly<Record<string, string>> = {
  0: 'literal text',
  1: 'a constrained placeholder',
  2: 'a free placeholder',
  3: 'the rest of the path',
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
  const open = paths.filter(({ segments }) => (segments[0]?.literal ?? null) === null)
  const closed = paths.filter(({ segments }) => (segments[0]?.literal ?? null) !== null)
  const groups = [...Map.groupBy(closed, ({ segments }) => segments[0]?.literal).values()]
  if (groups.length === 0) return [open]
  return groups.map((group) => [...group, ...open])
}
