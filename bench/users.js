/**
 * application.ts under the names of the contract that the design's own bench of peers has: a contestant that imports
 * this runs in both.
 *
 * @module
 */
import { settings } from './application.ts'

export { findUser, neededPermission as NEEDED, publicUser, readTable as table } from './application.ts'
export const { scenario } = settings
