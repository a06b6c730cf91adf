import { late } from '../core/internal.ts'
import type { Router } from '../routing/index.ts'
import type * as Pipeline from './pipeline.ts'

/** Composes middlewares around a step. */
export type Compose = typeof Pipeline.compose

/**
 * Loads what runs middlewares.
 *
 * @returns It; a promise of it the first time.
 */
export const pipeline: () => typeof Pipeline | Promise<typeof Pipeline> = late(() => import('./pipeline.ts'))

/**
 * Loads the same where a band, a module or a route has a middleware.
 *
 * @param router Knows the routes.
 * @param middlewares Those of bands and modules.
 * @returns It; null where nothing has one.
 */
export async function loadPipeline(router: Router, middlewares: readonly object[]): Promise<Compose | null> {
  const isUsed = middlewares.length > 0 || router.declares((route) => route.middlewares.length > 0)
  return isUsed ? (await pipeline()).compose : null
}
