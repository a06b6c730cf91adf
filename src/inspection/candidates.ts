import {
  type Candidate,
  decidingRule,
  type Outcome,
  type PatternSegment,
  placeholdersOf,
  plain,
  type RoutingModel,
  type Table,
  type Variant,
} from '../routing/internal.ts'
import { LonePath } from './lone-path.ts'

/** A route of a table beside a URL. */
export interface ExplainedCandidate {
  /** Methods, path and place in the source. */
  readonly route: string
  /** Why it lost or won. */
  readonly reason: string
  /** Whether the table gave this one. */
  readonly isWinner: boolean
}

const MAX_CANDIDATES = 8
// More than a path has segments.
const ALL = Number.MAX_SAFE_INTEGER

interface Judged {
  readonly variant: Variant
  /** How many segments fit. */
  readonly fit: number
  readonly reason: string
}

/** Says how near the routes of a table are to a URL: the winner, the nearest others, and how many are left. */
export function explainCandidates(
  table: Table,
  candidate: Candidate,
  { outcome, spelling }: { readonly outcome: Outcome } & Pick<RoutingModel, 'spelling'>,
): readonly ExplainedCandidate[] {
  const { method, point, rest } = candidate
  const texts = rest.map(plain)
  const judged = table.routes.flatMap(({ variants }) =>
    variants.map((variant) =>
      spelling.answersIn(variant.locale, point.locale)
        ? judge(variant, method, texts)
        : { variant, fit: 0, reason: `is the path in ${variant.locale}` },
    ),
  )
  const target = outcome?.kind === 'found' ? outcome.route.target : null
  const winner = judged.find(({ variant, fit }) => fit === ALL && variant.target === target)
  // Those that are equally near stay in the order of declaration.
  const near = judged
    .filter((each) => each !== winner && (each.fit > 0 || judged.length <= MAX_CANDIDATES))
    .sort((one, other) => other.fit - one.fit)
    .slice(0, MAX_CANDIDATES)
  const shown = winner === undefined ? near : [winner, ...near]
  const candidates = shown.map((each) => {
    const isCompared = each.fit === ALL && winner !== undefined
    const reason = isCompared ? standing(each.variant, winner.variant) : each.reason
    return { route: table.describe(each.variant), reason, isWinner: each === winner }
  })
  const left = judged.length - shown.length
  if (left === 0) return candidates
  return [...candidates, { route: `${left} more`, reason: 'further from the URL', isWinner: false }]
}

function judge(variant: Variant, method: string, texts: readonly string[]): Judged {
  const { methods, pattern } = variant
  const alone = new LonePath(variant)
  if (alone.match(method, texts) !== null) return { variant, fit: ALL, reason: 'fits' }
  if (methods.some((each) => alone.match(each, texts) !== null))
    return { variant, fit: texts.length + 1, reason: `answers ${methods.join(', ')}, not ${method}` }
  for (const [at, segment] of pattern.segments.entries()) {
    const reason = refuse(segment, texts.slice(at))
    if (reason !== null) return { variant, fit: at, reason }
  }
  const fit = pattern.segments.length
  const next = pattern.segments.at(-1)?.kind === 'rest' ? undefined : texts[fit]
  const reason =
    next === undefined ? typeReason(variant, texts) : `ends where the URL goes on with "/${next}"`
  return { variant, fit, reason }
}

function refuse(segment: PatternSegment, texts: readonly string[]): string | null {
  const [text] = texts
  if (text === undefined) return 'goes on where the URL ends'
  if (segment.kind === 'literal') return segment.text === text ? null : `"${text}" is not "${segment.text}"`
  const [placeholder] = placeholdersOf(segment)
  if (placeholder === undefined) return null
  const { name, constraint } = placeholder
  if (segment.kind === 'rest' || segment.isWhole) {
    const value = segment.kind === 'rest' ? texts.join('/') : text
    if (constraint === null || constraint.test(value)) return null
    return `"${value}" does not match where("${name}", ${JSON.stringify(constraint.source)})`
  }
  const [before = ''] = segment.texts
  const isAround = text.startsWith(before) && text.endsWith(segment.texts.at(-1) ?? '')
  return isAround ? null : `"${text}" does not have the text around {${name}}`
}

function typeReason({ pattern, target }: Variant, texts: readonly string[]): string {
  for (const [index, segment] of pattern.segments.entries()) {
    if (segment.kind !== 'placeholder' || segment.placeholders.length > 1) continue
    const parameter = target.action.parameter(segment.placeholders[0]?.name ?? '')
    const text = texts[index] ?? ''
    if (parameter !== undefined && parameter.parse(text) === undefined)
      return `"${text}" is not a valid ${parameter.type.name} for "${parameter.name}"`
  }
  return 'a value does not fit its placeholder'
}

function standing(variant: Variant, winner: Variant): string {
  if (variant === winner) return 'wins'
  switch (decidingRule(variant, winner)) {
    case 'priority':
      return `fits too, but has priority ${variant.target.priority}, the winner ${winner.target.priority}`
    case 'specificity':
      return 'fits too, but is less specific'
    default:
      return 'fits too, but is declared later'
  }
}
