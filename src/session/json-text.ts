import type { Json } from '../core/index.ts'

/**
 * @param key Key of an entry, for the message.
 * @param value Its value.
 * @returns The JSON text that a store keeps.
 * @throws {TypeError} If JSON cannot hold the value.
 */
export function textOf(key: string, value: Json): string {
  const text: string | undefined = JSON.stringify(value)
  if (text !== undefined) return text
  throw new TypeError(`Cannot keep "${key}" in the session: JSON cannot hold its value`)
}

/**
 * @param json A text that `textOf()` made.
 * @returns A copy of the value.
 * @throws {SyntaxError} If it is no JSON.
 */
export function valueOf(json: string): unknown {
  // Most entries are texts without a backslash: between the quotes they stand as they are, and cutting them out takes a
  // third of what the parser takes.
  const isPlain = json.length > 1 && json.startsWith('"') && json.endsWith('"') && !json.includes('\\')
  return isPlain ? json.slice(1, -1) : JSON.parse(json)
}
