import { late } from '../core/internal.ts'
import type * as ErrorPages from './error-responder.ts'

/**
 * Loads what makes pages and problem details of errors: at boot where an application has some of its own, else with the first
 * error.
 *
 * @returns It; a promise of it the first time.
 */
export const errorPages: () => typeof ErrorPages | Promise<typeof ErrorPages> = late(
  () => import('./error-responder.ts'),
)
