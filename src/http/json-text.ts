import { discardPromise, isPromiseLike, sentence } from '../core/internal.ts'

// Values that JSON writes as `{}`, by the tag that subclasses and other realms share.
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

// Bun gives some of them a `toJSON()` of its own. They are refused there too, so that an answer is the same everywhere.
const WRITERS_OF_PLATFORM: ReadonlySet<unknown> = new Set(
  [FormData, Headers, URLSearchParams]
    .map(({ prototype }): unknown => Reflect.get(prototype, 'toJSON'))
    .filter((writer) => writer !== undefined),
)

// Traces of those values, of a typed array and of a `Buffer`. JSON without any of them holds no such value.
const TRACES: readonly string[] = ['{}', '{"0":', '{"type":"Buffer","data":[']

/**
 * Writes a value as JSON and refuses values that JSON would empty silently, such as a `Map` or a promise that was not
 * awaited. Such a value leaves a trace in the JSON unless it has members of its own, so nearly all values need only a
 * search of the string. The outermost value is always checked.
 *
 * @param value A value that `JSON.stringify` can write.
 * @returns The JSON.
 * @throws {TypeError} If the value or one inside it is a bigint, cyclic, undefined or a function, or of a type that has
 * no form in JSON and no `toJSON()`.
 */
export function jsonText(value: unknown): string {
  // Some errors, streams and maps have members of their own, but their content is missing from JSON; bytes would become an
  // object with one member for each byte.
  if (ArrayBuffer.isView(value)) throw bytes(value, '')
  if (typeof value === 'object' && value !== null && !isPlain(value)) assertKept(value, '')
  // The platform's declaration omits undefined.
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) throw new TypeError(sentence`Cannot write ${typeof value} as JSON`)
  if (WRITERS_OF_PLATFORM.size > 0 || TRACES.some((trace) => text.includes(trace)))
    assertNothingEmptied(value, text.length)
  return text
}

// Nearly every value is plain, and asking for its tag is slow.
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false
  return !isPromiseLike(value) && !isNodeStream(value)
}

// Iterative, because JSON may be arbitrarily deep. Each object has taken at least one character of the JSON: if there are
// more, getters or proxies create new ones on each access and may never end.
function assertNothingEmptied(root: unknown, most: number): void {
  const pending: object[] = []
  let left = most
  const look = (value: unknown, key: string): void => {
    const given = written(value, key)
    if (typeof given !== 'object' || given === null) return
    if (left === 0)
      throw new TypeError(sentence`Cannot write as JSON a value that changes each time it is read`)
    left--
    pending.push(given)
  }
  look(root, '')
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    const members: [string, unknown][] = Object.entries(value)
    for (const [key, member] of members) if (typeof member === 'object' && member !== null) look(member, key)
  }
}

// The result of `toJSON()` is used as it is and not converted again.
function written(value: unknown, key: string): unknown {
  assertKept(value, key)
  if (!hasToJson(value)) return value
  const given = value.toJSON(key)
  if (EMPTIED.has(kindOf(given)) || isNodeStream(given)) throw lost(given, key)
  if (ArrayBuffer.isView(given)) throw bytes(given, key)
  return given
}

function assertKept(value: unknown, key: string): void {
  // The `toJSON()` of a `Buffer`, an object with a list of numbers, is never what an application wants.
  if (ArrayBuffer.isView(value) && (value instanceof Buffer || !hasToJson(value))) throw bytes(value, key)
  if (isLost(value) && !hasToJson(value)) throw lost(value, key)
}

function isLost(value: unknown): boolean {
  return EMPTIED.has(kindOf(value)) || value instanceof Error || isPromiseLike(value) || isNodeStream(value)
}

// JSON would write the state of a stream and not its content.
function isNodeStream(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const isPiped = 'pipe' in value && typeof value.pipe === 'function'
  return isPiped && 'on' in value && typeof value.on === 'function'
}

function bytes(value: ArrayBufferView, key: string): TypeError {
  const what = key === '' ? kindOf(value) : sentence`"${key}", of type ${kindOf(value)},`
  return new TypeError(sentence`Cannot write ${what} as JSON: convert it to a string`)
}

function lost(value: unknown, key: string): TypeError {
  // Nobody will await it.
  discardPromise(value)
  const kind = isPromiseLike(value) ? 'Promise' : isNodeStream(value) ? 'stream' : kindOf(value)
  const what = key === '' ? sentence`a value of type ${kind}` : sentence`"${key}", of type ${kind},`
  const advice = kind === 'Promise' ? 'await it' : sentence`convert it to an object, an array or a string`
  return new TypeError(sentence`Cannot write ${what} as JSON, which would lose its content: ${advice}`)
}

function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}

function hasToJson(value: unknown): value is { toJSON(key: string): unknown } {
  const writer = (value as { toJSON?: unknown } | null)?.toJSON
  return typeof writer === 'function' && !WRITERS_OF_PLATFORM.has(writer)
}
