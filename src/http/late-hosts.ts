import { late } from '../core/internal.ts'
import type * as Hosts from './served-hosts.ts'

/**
 * Loads what checks the host that a request asks for: many applications leave that to their server.
 *
 * @returns It; a promise of it the first time.
 */
export const hostChecks: () => typeof Hosts | Promise<typeof Hosts> = late(() => import('./served-hosts.ts'))
