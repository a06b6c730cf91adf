import { plainText } from '../declaration/built-in-types.ts'
import type { GivenParams } from './url-params.ts'
import { refuseUrl } from './url-refusal.ts'

/**
 * Writes parameters as a query string, with its question mark.
 *
 * @param params The parameters; a list repeats its key, null and undefined are left out.
 * @param name What the URL is for, for the message.
 * @returns The query, or an empty text when there is nothing to write.
 * @throws {RoutingException} `invalid-parameter` if a value cannot stand in a query.
 */
export function writeQuery(params: GivenParams, name: string): string {
  const entries = Object.entries(params)
  if (entries.length === 0) return ''
  const query = new URLSearchParams()
  for (const [key, value] of entries) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null || item === undefined) continue
      const text = plainText(item)
      if (text === undefined || !key.isWellFormed()) {
        const reason = `"${key}" is ${typeof item}; give a string, finite number, boolean or bigint, or a list of them`
        throw refuseUrl('invalid-parameter', name, reason)
      }
      query.append(key, text)
    }
  }
  return query.size === 0 ? '' : `?${query.toString()}`
}
