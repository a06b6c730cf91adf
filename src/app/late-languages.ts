import { late } from '../core/internal.ts'
import { hasHeavyParts } from '../i18n/internal.ts'

const languages = late(() => import('../i18n/index.ts'))

/**
 * Loads what negotiates languages and formats messages, which an application in one language without messages never needs.
 *
 * @returns Null if it is loaded; otherwise a promise that it is.
 */
export function readyLanguages(): null | Promise<unknown> {
  if (hasHeavyParts()) return null
  return Promise.resolve(languages())
}
