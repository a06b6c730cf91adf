import type { Variant } from './variant.ts'

/** What decides between two paths of a table that take the same URL. */
export type DecidingRule = 'priority' | 'specificity' | 'declaration'

/**
 * Which of two paths answers a URL that both take: the one of higher priority, then the more specific one from the left,
 * segment by segment, then the one that was declared first.
 *
 * @returns A number below zero if the first answers, above zero if the other does.
 */
export function comparePrecedence(one: Variant, other: Variant): number {
  const byPriority = comparePriority(one.target.priority, other.target.priority)
  if (byPriority !== 0) return byPriority
  if (one.rank !== other.rank) return one.rank < other.rank ? -1 : 1
  return one.order - other.order
}

/**
 * @param one A priority of a route.
 * @param other Another one.
 * @returns A number below zero if the first is tried first, above zero if the other is.
 */
export function comparePriority(one: number, other: number): number {
  return other - one
}

/** What decides between two paths. */
export function decidingRule(one: Variant, other: Variant): DecidingRule {
  if (one.target.priority !== other.target.priority) return 'priority'
  return one.rank === other.rank ? 'declaration' : 'specificity'
}
