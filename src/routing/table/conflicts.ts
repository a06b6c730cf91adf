import { sentence } from '../../core/internal.ts'
import { RoutingException } from '../routing-exception.ts'
import type { Spelling } from '../spelling.ts'
import type { CompiledRoute, Variant } from './variant.ts'

/** Refuses routes that answer the same URL or share a name, and notes which GET routes leave HEAD to another. */
export function assertCompatible(routes: readonly CompiledRoute[], spelling: Spelling): void {
  assertNames(routes)
  const taken = new Map<string, readonly Variant[]>()
  for (const variant of routes.flatMap(({ variants }) => variants)) {
    const { key } = variant.pattern
    for (const method of variant.methods) {
      const others = taken.get(`${method} ${key}`) ?? []
      for (const other of others) assertApart(other, variant, spelling)
      taken.set(`${method} ${key}`, [...others, variant])
    }
  }
  yieldHead(taken, spelling)
}

function assertNames(routes: readonly CompiledRoute[]): void {
  const taken = new Map<string, CompiledRoute>()
  for (const route of routes) {
    const { name } = route.target
    if (name === null) continue
    const other = taken.get(name)
    if (other !== undefined) {
      const message = sentence`Cannot name two routes "${name}": ${other.label} and ${route.label}; rename one of them`
      throw new RoutingException('duplicate-name', message)
    }
    taken.set(name, route)
  }
}

function assertApart(one: Variant, other: Variant, spelling: Spelling): void {
  if (one.target === other.target || !spelling.shareUrls(one.locale, other.locale)) return
  const both = `${one.label} and ${other.label}`
  if (spelling.slash === null && one.pattern.hasSlash !== other.pattern.hasSlash) {
    const mend = sentence`under TrailingSlash.Preserve both spellings are one URL; keep one of them`
    throw new RoutingException('slash-conflict', sentence`Cannot tell ${both} apart: ${mend}`)
  }
  if (one.target.priority !== other.target.priority) return
  const mend = sentence`they answer the same URL; change a path or give one of them another priority()`
  throw new RoutingException('route-conflict', sentence`Cannot tell ${both} apart: ${mend}`)
}

function yieldHead(taken: ReadonlyMap<string, readonly Variant[]>, spelling: Spelling): void {
  for (const [key, heads] of taken) {
    if (!key.startsWith('HEAD ')) continue
    for (const variant of taken.get(`GET ${key.slice(5)}`) ?? []) {
      if (heads.some((head) => head !== variant && spelling.shareUrls(head.locale, variant.locale)))
        variant.isHeadless = true
    }
  }
}
