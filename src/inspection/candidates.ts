import {
  type PatternSegment,
  placeholdersOf,
  decidingRule,
  type RoutingModel,
  type RouteTarget,
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

/** What a table was asked. */
export interface AskedTable {
  readonly method: string
  /** Decoded segments behind the entry point. */
  readonly texts: readonly string[]
  /** The locale of the URL, or null. */
  readonly locale: string | null
  /** How URLs are spelled. */
  readonly spelling: RoutingModel['spelling']
  /** What was found, or null. */
  readonly winner: RouteTarget | null
}

const MAX_CANDIDATES = 8

interface Judged {
  readonly variant: Variant
  /** How many segments fit; infinite when all do. */
  readonly fit: number
  readonly reason: string
}

/**
 * Says how near the routes of a table are to a URL.
 *
 * @param table The table.
 * @param asked What it was asked.
 * @returns The winner and the nearest others; the last one may stand for the rest.
 */
export function explainCandidates(table: Table, asked: AskedTable): readonly ExplainedCandidate[] {
  const judged = table.routes.flatMap(({ variants }) => variants.map((variant) => judge(variant, asked)))
  const isWinner = ({ variant, fit }: Judged): boolean => variant.target === asked.winner && fit === Infinity
  const winner = judged.find(isWinner)
  const near = judged
    .filter((each) => each !== winner && (each.fit > 0 || judged.length <= MAX_CANDIDATES))
    .sort((one, other) =>
      one.fit === other.fit ? one.variant.order - other.variant.order : other.fit - one.fit,
    )
  const shown = near.slice(0, MAX_CANDIDATES)
  const candidates = [...(winner === undefined ? [] : [winner]), ...shown].map((each) => {
    const route = table.describe(each.variant)
    if (each === winner) return { route, reason: 'wins', isWinner: true }
    const reason =
      each.fit === Infinity && winner !== undefined ? loss(each.variant, winner.variant) : each.reason
    return { route, reason, isWinner: false }
  })
  const left = judged.length - candidates.length
  if (left === 0) return candidates
  const rest = { route: `${left} more`, reason: 'further from the URL', isWinner: false }
  return [...candidates, rest]
}

function judge(variant: Variant, { method, texts, locale, spelling }: AskedTable): Judged {
  if (!spelling.answersIn(variant.locale, locale))
    return { variant, fit: 0, reason: `is the path in ${variant.locale}` }
  const alone = new LonePath(variant)
  const own = variant.methods.find((each) => alone.match(each, texts) !== null)
  if (alone.match(method, texts) !== null) return { variant, fit: Infinity, reason: 'fits' }
  if (own !== undefined) {
    const reason = `answers ${variant.methods.join(', ')}, not ${method}`
    return { variant, fit: texts.length + 1, reason }
  }
  for (const [at, segment] of variant.pattern.segments.entries()) {
    const reason = refuse(segment, texts.slice(at))
    if (reason !== null) return { variant, fit: at, reason }
  }
  const { length } = variant.pattern.segments
  if (texts.length > length) {
    return { variant, fit: length, reason: `ends where the URL goes on with "/${texts[length] ?? ''}"` }
  }
  return { variant, fit: length, reason: typeReason(variant, texts) }
}

function refuse(segment: PatternSegment, texts: readonly string[]): string | null {
  const [text] = texts
  if (text === undefined) return 'goes on where the URL ends'
  if (segment.kind === 'literal') return segment.text === text ? null : `"${text}" is not "${segment.text}"`
  const [placeholder] = placeholdersOf(segment)
  if (placeholder === undefined) return null
  const isWhole = segment.kind === 'rest' || segment.isWhole
  const value = segment.kind === 'rest' ? texts.join('/') : text
  if (isWhole) {
    const { constraint, name } = placeholder
    return constraint === null || constraint.test(value)
      ? null
      : `"${value}" does not match where("${name}", ${JSON.stringify(constraint.source)})`
  }
  const [before = ''] = segment.texts
  const behind = segment.texts.at(-1) ?? ''
  return text.startsWith(before) && text.endsWith(behind)
    ? null
    : `"${text}" has not the text around {${placeholder.name}}`
}

function typeReason(variant: Variant, texts: readonly string[]): string {
  for (const [index, segment] of variant.pattern.segments.entries()) {
    if (segment.kind !== 'placeholder' || segment.placeholders.length > 1) continue
    const [placeholder] = segment.placeholders
    const parameter = variant.target.action.parameter(placeholder?.name ?? '')
    const text = texts[index] ?? ''
    if (parameter?.parse(text) === undefined && parameter !== undefined)
      return `"${text}" is not a valid ${parameter.type.name} for "${parameter.name}"`
  }
  return 'a value does not fit its placeholder'
}

function loss(variant: Variant, winner: Variant): string {
  switch (decidingRule(variant, winner)) {
    case 'priority':
      return `fits too, but has priority ${variant.target.priority}, the winner ${winner.target.priority}`
    case 'specificity':
      return 'fits too, but is less specific'
    default:
      return 'fits too, but is declared later'
  }
}
