import { ignoreFailure, late } from '../../core/internal.ts'
import type * as Certainty from './certainty.ts'

const load = late(() => import('./certainty.ts'))
let loaded: typeof Certainty | undefined
let isAskedFor = false

/**
 * What finds out beforehand where the URLs of a path lead. It is loaded with the first URL: until then, as without it, each URL is
 * matched before it is handed out, which takes longer.
 *
 * @returns It; undefined while it is not there.
 */
export function certainty(): typeof Certainty | undefined {
  if (!isAskedFor) void ignoreFailure(loadCertainty())
  return loaded
}

/**
 * Loads it now.
 */
export async function loadCertainty(): Promise<void> {
  isAskedFor = true
  loaded = await load()
}
