import type { ActionCatalog } from './declaration/action-catalog.ts'
import type { Generation } from './generation/generation.ts'
import type { LocaleSet } from './locale-set.ts'
import type { EntryPoints } from './resolution/entry-points.ts'
import type { Resolution } from './resolution/resolution.ts'
import type { Route } from './route.ts'
import type { RoutedModule } from './routed-module.ts'
import type { Spelling } from './spelling.ts'

/** What a router is made of, read-only: everything that looks at routes without serving them works on this. */
export interface RoutingModel {
  /** The actions of all controllers. */
  readonly catalog: ActionCatalog
  /** The modules, in the order of declaration. */
  readonly modules: readonly RoutedModule[]
  /** Which module owns which URLs. */
  readonly entries: EntryPoints
  /** The declared locales. */
  readonly locales: LocaleSet
  /** How URLs are spelled. */
  readonly spelling: Spelling
  /** Resolves URLs, and reports each step on request. */
  readonly resolution: Resolution
  /** Generates URLs. */
  readonly generation: Generation
  /** The route that tables and convention give for a canonical URL, without asking resolvers; null: none. */
  readonly verify: (method: string, path: string) => Route | null
}
