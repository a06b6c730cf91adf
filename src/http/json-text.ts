import { isPromiseLike } from '../core/index.ts'
import { ignorePromisesIn } from './discarded-promises.ts'

// What JSON makes `{}` of, by the tag that subclasses and other realms share.
const EMPTIED: ReadonlySet<string> = new Set([
  'Array Iterator',
  'ArrayBuffer',
  'AsyncGenerator',
  'Blob',
  'Error',
  'File',
  'FormData',
  'Generator',
  'Headers',
  'Iterator Helper',
  'Map Iterator',
  'Map',
  'Promise',
  'ReadableStream',
  'RegExp',
  'Request',
  'Response',
  'Set Iterator',
  'Set',
  'SharedArrayBuffer',
  'URLSearchParams',
  'WeakMap',
  'WeakRef',
  'WeakSet',
])

// Of what is emptied, of a typed array and of a `Buffer`. A text without any holds nothing that JSON has changed so.
const TRACES: readonly string[] = ['{}', '{"0":', '{"type":"Buffer","data":[']

/**
 * Writes a value as JSON, unless JSON would make nothing of it: a `Map`, a promise that nobody awaited. A text without a
 * trace of such a value holds none, so that nearly all are searched, and their values never.
 *
 * @param value What `JSON.stringify` can write.
 * @returns The text.
 * @throws {TypeError} If the value or one in it is a bigint, cyclic, undefined or a function, or of a kind that has no
 * form in JSON and no `toJSON()`.
 */
export function jsonText(value: unknown): string {
  try {
    return stringified(value)
  } catch (error) {
    ignorePromisesIn(value)
    throw error
  }
}

function stringified(value: unknown): string {
  // Some errors have members of their own, and yet no message in JSON; bytes are no object with a member for each.
  if (value instanceof Error || isPromiseLike(value)) assertKept(value, '')
  if (ArrayBuffer.isView(value)) throw bytes(value, '')
  // The platform's declaration leaves undefined out.
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) throw new TypeError(`Cannot write ${typeof value} as JSON`)
  if (TRACES.some((trace) => text.includes(trace))) assertNothingEmptied(value)
  return text
}

// By hand and without recursion: JSON has been written, so there is an end, however deep it is.
function assertNothingEmptied(root: unknown): void {
  const pending = [written(root, '')]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [key, member] of Object.entries(value) as [string, unknown][])
      if (typeof member === 'object' && member !== null) pending.push(written(member, key))
  }
}

// What a value gives for itself is written, and not asked again.
function written(value: unknown, key: string): unknown {
  assertKept(value, key)
  if (!hasToJson(value)) return value
  const given = value.toJSON(key)
  if (EMPTIED.has(kindOf(given))) throw lost(given, key)
  if (ArrayBuffer.isView(given)) throw bytes(given, key)
  return given
}

function assertKept(value: unknown, key: string): void {
  // What a `Buffer` says of itself, an object with a list of numbers, is nothing that anybody wants.
  if (ArrayBuffer.isView(value) && (value instanceof Buffer || !hasToJson(value))) throw bytes(value, key)
  const isLost = EMPTIED.has(kindOf(value)) || isPromiseLike(value)
  if (isLost && !hasToJson(value)) throw lost(value, key)
}

function bytes(value: ArrayBufferView, key: string): TypeError {
  const what = key === '' ? kindOf(value) : `"${key}", of type ${kindOf(value)},`
  return new TypeError(`Cannot write ${what} as JSON: make a string of it`)
}

function lost(value: unknown, key: string): TypeError {
  const kind = isPromiseLike(value) ? 'Promise' : kindOf(value)
  const what = key === '' ? `a value of type ${kind}` : `"${key}", of type ${kind},`
  const advice = kind === 'Promise' ? 'await it' : 'make an object, an array or a string of it'
  return new TypeError(`Cannot write ${what} as JSON, which would lose what it holds: ${advice}`)
}

function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}

function hasToJson(value: unknown): value is { toJSON(key: string): unknown } {
  return typeof (value as { toJSON?: unknown } | null)?.toJSON === 'function'
}
