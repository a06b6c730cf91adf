import { discardPromise, isPromiseLike } from '../core/internal.ts'
import { ignorePromisesIn } from './discarded-promises.ts'

// What JSON makes `{}` of, by the tag that subclasses and other realms share.
const EMPTIED: ReadonlySet<string> = new Set([
  'Array Iterator',
  'ArrayBuffer',
  'AsyncGenerator',
  'Blob',
  'DOMException',
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
  'TransformStream',
  'URLSearchParams',
  'WeakMap',
  'WeakRef',
  'WeakSet',
  'WritableStream',
])

// Of what is emptied, of a typed array and of a `Buffer`. A text without any holds nothing that JSON has changed so.
const TRACES: readonly string[] = ['{}', '{"0":', '{"type":"Buffer","data":[']

/**
 * Writes a value as JSON, unless JSON would make nothing of it: a `Map`, a promise that nobody awaited. A text without a
 * trace of such a value holds none, but for one with members of its own, so that nearly all are searched, and their values
 * never. The whole answer is always looked at.
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
    discardPromise(error)
    throw error
  }
}

function stringified(value: unknown): string {
  // Some errors, streams and maps have members of their own, and yet nothing of what they hold in JSON; bytes are no object
  // with a member for each.
  if (ArrayBuffer.isView(value)) throw bytes(value, '')
  if (typeof value === 'object' && value !== null && !isPlain(value)) assertKept(value, '')
  // The platform's declaration leaves undefined out.
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) throw new TypeError(`Cannot write ${typeof value} as JSON`)
  if (TRACES.some((trace) => text.includes(trace))) assertNothingEmptied(value, text.length)
  return text
}

// Nearly every answer, and dear to ask for its tag.
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false
  return !isPromiseLike(value) && !isNodeStream(value)
}

// By hand and without recursion: JSON has been written, however deep it is. Each object has taken a character of it at
// least: where there are more, getters or proxies make others than they made then, and may never end.
function assertNothingEmptied(root: unknown, most: number): void {
  const pending: object[] = []
  let left = most
  const look = (value: unknown, key: string): void => {
    const given = written(value, key)
    if (typeof given !== 'object' || given === null) return
    if (left === 0) throw new TypeError('Cannot write as JSON what is another each time it is looked at')
    left--
    pending.push(given)
  }
  look(root, '')
  for (let value = pending.pop(); value !== undefined; value = pending.pop())
    for (const [key, member] of Object.entries(value) as [string, unknown][])
      if (typeof member === 'object' && member !== null) look(member, key)
}

// What a value gives for itself is written, and not asked again.
function written(value: unknown, key: string): unknown {
  assertKept(value, key)
  if (!hasToJson(value)) return value
  const given = value.toJSON(key)
  if (EMPTIED.has(kindOf(given)) || isNodeStream(given)) throw lost(given, key)
  if (ArrayBuffer.isView(given)) throw bytes(given, key)
  return given
}

function assertKept(value: unknown, key: string): void {
  // What a `Buffer` says of itself, an object with a list of numbers, is nothing that anybody wants.
  if (ArrayBuffer.isView(value) && (value instanceof Buffer || !hasToJson(value))) throw bytes(value, key)
  if (isLost(value) && !hasToJson(value)) throw lost(value, key)
}

function isLost(value: unknown): boolean {
  return EMPTIED.has(kindOf(value)) || value instanceof Error || isPromiseLike(value) || isNodeStream(value)
}

// What JSON writes of one is its state, not what flows through it.
function isNodeStream(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { pipe, on } = value as { readonly pipe?: unknown; readonly on?: unknown }
  return typeof pipe === 'function' && typeof on === 'function'
}

function bytes(value: ArrayBufferView, key: string): TypeError {
  const what = key === '' ? kindOf(value) : `"${key}", of type ${kindOf(value)},`
  return new TypeError(`Cannot write ${what} as JSON: make a string of it`)
}

function lost(value: unknown, key: string): TypeError {
  const kind = isPromiseLike(value) ? 'Promise' : isNodeStream(value) ? 'stream' : kindOf(value)
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
