import type { ActionCatalog } from './declaration/action-catalog.ts'
import type { Generation, GenerationScope } from './generation/generation.ts'
import type { Resolution } from './resolution/resolution.ts'

/** What a router is made of, read-only: everything that looks at routes without serving them works on this. */
export interface RoutingModel extends GenerationScope {
  /** The actions of all controllers. */
  readonly catalog: ActionCatalog
  /** Resolves URLs, and reports each step on request. */
  readonly resolution: Resolution
  /** Generates URLs. */
  readonly generation: Generation
}
