import { sentence } from '../../core/internal.ts'
import { plainText } from '../declaration/built-in-types.ts'
import { refuseUrl } from '../routing-exception.ts'
import type { PathWriter } from './path-writer.ts'
import type { GivenParams } from './url-params.ts'

// What a form leaves as it is, and `encodeURIComponent` beside that.
const PLAIN = /^[\w*.-]*$/
const LEFT = /%20|[!'()~]/g

/**
 * The parameters that a path does not take as a query with its question mark: a list repeats its key, null and undefined are
 * left out. It is written as `URLSearchParams` does.
 */
export function writeQuery(writer: PathWriter, params: GivenParams, name: string): string {
  let query = ''
  for (const key in params) {
    if (writer.takes(key) || !Object.hasOwn(params, key)) continue
    const value = params[key]
    if (!Array.isArray(value)) query += pairOf(key, value, name)
    else for (const item of value) query += pairOf(key, item, name)
  }
  return query === '' ? '' : `?${query.slice(1)}`
}

function pairOf(key: string, item: unknown, name: string): string {
  if (item === null || item === undefined) return ''
  const text = plainText(item)
  if (text !== undefined && key.isWellFormed()) return `&${encoded(key)}=${encoded(text)}`
  const reason = sentence`"${key}" is of type ${typeof item}; it must be a string, finite number, boolean or bigint, or a list of these`
  throw refuseUrl('invalid-parameter', `"${name}"`, reason)
}

function encoded(text: string): string {
  if (PLAIN.test(text)) return text
  return encodeURIComponent(text).replaceAll(LEFT, (left) =>
    left === '%20' ? '+' : `%${left.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
