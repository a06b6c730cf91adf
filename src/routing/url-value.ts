import type { UrlParameter } from './parameter.ts'
import { RoutingException } from './routing-exception.ts'
import type { UrlParams } from './url-params.ts'

/**
 * Spells a value as the segment that its parameter reads as that value.
 *
 * @param value The value.
 * @param parameter The parameter.
 * @returns The text, or undefined when the parameter would refuse it.
 */
export function toText(value: unknown, parameter: UrlParameter): string | undefined {
  const text = plainText(value)
  const parsed = text === undefined ? undefined : parameter.parse(text)
  if (parsed === undefined) return undefined
  return typeof parsed === 'boolean' ? String(parsed) : text
}

/**
 * @param value Anything.
 * @returns The text of a string, finite number, boolean or bigint; undefined for anything else.
 */
export function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? value : undefined
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  return typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : undefined
}

/**
 * Writes parameters as a query string, with its question mark.
 *
 * @param params The parameters; a list repeats its key, null and undefined are left out.
 * @param name What the URL is for, for the message.
 * @returns The query, or an empty text when there is nothing to write.
 * @throws {RoutingException} `invalid-parameter` if a value cannot stand in a query.
 */
export function writeQuery(params: UrlParams, name: string): string {
  const entries = Object.entries(params)
  if (entries.length === 0) return ''
  const query = new URLSearchParams()
  for (const [key, value] of entries) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null || item === undefined) continue
      const text = plainText(item)
      if (text === undefined || !key.isWellFormed()) {
        const message = `Cannot generate a URL for ${name}: "${key}" is ${typeof item}; give a string, finite number, boolean or bigint, or a list of them`
        throw new RoutingException('invalid-parameter', message)
      }
      query.append(key, text)
    }
  }
  return query.size === 0 ? '' : `?${query.toString()}`
}
