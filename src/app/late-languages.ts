import { late } from '../core/internal.ts'
import { hasNegotiation } from '../i18n/internal.ts'

const languages = late(() => import('../i18n/index.ts'))

/**
 * Loads what negotiates languages, which an application in one language never needs.
 *
 * @returns Null if it is loaded; otherwise a promise that it is.
 */
export function readyLanguages(): null | Promise<unknown> {
  if (hasNegotiation()) return null
  return Promise.resolve(languages())
}
