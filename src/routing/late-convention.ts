import { late } from '../core/internal.ts'
import type { Convention } from './convention/convention.ts'
import type { ModuleRouting } from './declaration/module-routing.ts'

const conventionParts = late(() => import('./convention/convention.ts'))

/**
 * Loads the convention.
 *
 * @param modules The modules of an application.
 * @returns Its class; null where it reaches no controller, as in an application with tables alone.
 */
export async function loadConvention(modules: readonly ModuleRouting[]): Promise<typeof Convention | null> {
  const isUsed = modules.some(({ convention, controllers }) => convention && controllers.length > 0)
  return isUsed ? (await conventionParts()).Convention : null
}
