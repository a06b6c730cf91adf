import { RoutingException } from '../routing-exception.ts'
import type { CompiledRoute, Variant } from './variant.ts'

/** What decides whether two paths are the same URL. */
export interface ConflictRules {
  /** Whether paths of different locales live in one space, there being no prefix to tell them apart. */
  readonly sharesUrls: boolean
  /** Whether a slash at the end makes no difference but is kept. */
  readonly preservesSlash: boolean
}

/**
 * Refuses routes that answer the same URL, and notes which GET routes leave HEAD to another.
 *
 * @param routes The routes of one table.
 * @param rules What decides whether two paths are the same URL.
 * @throws {RoutingException} `route-conflict`, `slash-conflict` or `duplicate-name`.
 */
export function assertCompatible(routes: readonly CompiledRoute[], rules: ConflictRules): void {
  assertNames(routes)
  const taken = new Map<string, Variant[]>()
  for (const { variants } of routes) {
    for (const variant of variants) {
      const { key } = variant.pattern
      for (const method of variant.methods) {
        const others = taken.get(`${method} ${key}`)
        if (others === undefined) {
          taken.set(`${method} ${key}`, [variant])
          continue
        }
        for (const other of others) assertApart(other, variant, rules)
        others.push(variant)
      }
    }
  }
  yieldHead(taken, rules)
}

function assertNames(routes: readonly CompiledRoute[]): void {
  const taken = new Map<string, Variant | undefined>()
  for (const { target, variants } of routes) {
    if (target.name === null) continue
    if (taken.has(target.name)) {
      const both = `${taken.get(target.name)?.label} and ${variants[0]?.label}`
      throw new RoutingException(
        'duplicate-name',
        `Cannot name two routes "${target.name}": ${both}; rename one of them`,
      )
    }
    taken.set(target.name, variants[0])
  }
}

function assertApart(one: Variant, other: Variant, rules: ConflictRules): void {
  if (one.target === other.target || !shareLocale(one, other, rules)) return
  const both = `${one.label} and ${other.label}`
  if (rules.preservesSlash && one.pattern.hasSlash !== other.pattern.hasSlash) {
    const mend = 'under TrailingSlash.Preserve both spellings are one URL; keep one of them'
    throw new RoutingException('slash-conflict', `Cannot tell ${both} apart: ${mend}`)
  }
  if (one.target.priority !== other.target.priority) return
  const mend = 'they answer the same URL; change a path or give one of them another priority()'
  throw new RoutingException('route-conflict', `Cannot tell ${both} apart: ${mend}`)
}

function shareLocale(one: Variant, other: Variant, rules: ConflictRules): boolean {
  return rules.sharesUrls || one.locale === null || other.locale === null || one.locale === other.locale
}

function yieldHead(taken: ReadonlyMap<string, readonly Variant[]>, rules: ConflictRules): void {
  for (const [key, heads] of taken) {
    if (!key.startsWith('HEAD ')) continue
    for (const variant of taken.get(`GET ${key.slice(5)}`) ?? []) {
      if (heads.some((head) => head !== variant && shareLocale(head, variant, rules)))
        variant.isHeadless = true
    }
  }
}
