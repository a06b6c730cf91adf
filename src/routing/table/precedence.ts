import type { Variant } from './variant.ts'

/**
 * Which of two paths answers a URL that both take: the one of higher priority, then the more specific one from the left,
 * segment by segment, then the one that was declared first. Below zero it is the first.
 */
export function comparePrecedence(one: Variant, other: Variant): number {
  if (one.target.priority !== other.target.priority) return other.target.priority - one.target.priority
  if (one.rank !== other.rank) return one.rank < other.rank ? -1 : 1
  return one.order - other.order
}

/** What decides between two paths that take the same URL. */
export function decidingRule(one: Variant, other: Variant): 'priority' | 'specificity' | 'declaration' {
  if (one.target.priority !== other.target.priority) return 'priority'
  return one.rank === other.rank ? 'declaration' : 'specificity'
}
