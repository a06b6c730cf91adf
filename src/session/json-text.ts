import { sentence } from '../core/internal.ts'
import { types } from 'node:util'
import type { Json } from '../core/index.ts'
import { isKey, notAKey } from './session-argument.ts'

// A JSON string without escapes.
const PLAIN_TEXT = /^"[ !#-[\]-\uffff]*"$/
// Deeper values are refused: reading them could overflow the stack.
const MAX_DEPTH = 500

/**
 * @param key Key of an entry, for the message.
 * @param value Its value.
 * @returns The JSON to store. It reads back equal to the value.
 * @throws {TypeError} If the key is not a string or belongs to the framework, or JSON would change the value: a date, a map, a class instance, NaN, a hole.
 */
export function textOf(key: string, value: Json): string {
  if (!isKey(key)) throw notAKey(key)
  if (typeof value === 'string' || isExact(value, 0)) return JSON.stringify(value)
  throw new TypeError(
    sentence`Cannot keep "${key}" in the session: ${faultOf({ value, path: '', parents: [] })}`,
  )
}

/**
 * @param json Result of `textOf()`.
 * @returns A copy of the value.
 * @throws {SyntaxError} If it is not JSON.
 */
export function valueOf(json: string): unknown {
  // Most entries are strings without a backslash. Slicing off the quotes takes half the time of parsing.
  return PLAIN_TEXT.test(json) ? json.slice(1, -1) : JSON.parse(json)
}

// Runs for every entry that is set: one walk that tracks no path.
function isExact(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
    case 'object':
      if (value === null) return true
      // A proxy may return something else when it is written. None of its traps is called here.
      if (depth === MAX_DEPTH || types.isProxy(value)) return false
      return Array.isArray(value) ? isExactList(value, depth + 1) : isExactObject(value, depth + 1)
    default:
      return false
  }
}

function isExactList(list: readonly unknown[], depth: number): boolean {
  if (Object.getPrototypeOf(list) !== Array.prototype) return false
  // An array has its items and `length`. One with a hole has fewer names, one with extra members has more.
  if (Object.getOwnPropertyNames(list).length !== list.length + 1) return false
  for (let index = 0; index < list.length; index++) if (!isExactMember(list, index, depth)) return false
  return Object.getOwnPropertySymbols(list).length === 0
}

function isExactObject(object: object, depth: number): boolean {
  if (Object.getPrototypeOf(object) !== Object.prototype) return false
  for (const name of Object.getOwnPropertyNames(object)) if (!isExactMember(object, name, depth)) return false
  return Object.getOwnPropertySymbols(object).length === 0
}

function isExactMember(object: object, name: string | number, depth: number): boolean {
  const member = Object.getOwnPropertyDescriptor(object, name)
  // A getter may return something else each time, and JSON omits hidden members.
  if (member === undefined || !('value' in member) || member.enumerable !== true) return false
  return isExact(member.value, depth)
}

interface Place {
  readonly value: unknown
  readonly path: string
  readonly parents: readonly object[]
}

// The same walk again, slower, for the message: it names the place but never the value.
function faultOf({ value, path, parents }: Place): string {
  const what = unkeptKind(value, parents)
  if (what !== null) return `${path === '' ? 'its value' : path} is ${what}`
  const object = value as object
  const odd = oddMember(object)
  if (odd !== null) return `${path}${step(odd.name, Array.isArray(object))} is ${odd.what}`
  const within = [...parents, object]
  for (const [name, child] of Object.entries(object)) {
    if (isExact(child, parents.length + 1)) continue
    return faultOf({ value: child, path: `${path}${step(name, Array.isArray(object))}`, parents: within })
  }
  // Unreachable as far as known: everything that is checked here holds plain data.
  return `${path === '' ? 'its value' : path} is not a value that JSON can represent`
}

// The only hidden member of an array is its length.
function oddMember(object: object): { name: string; what: string } | null {
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
    if (member.get !== undefined || member.set !== undefined) return { name, what: 'a getter or a setter' }
    if (member.enumerable !== true && !(Array.isArray(object) && name === 'length'))
      return { name, what: 'not enumerable' }
  }
  return null
}

function step(name: string, isInList: boolean): string {
  if (isInList && /^\d+$/.test(name)) return `[${name}]`
  return /^[\w$]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

function unkeptKind(value: unknown, parents: readonly object[]): string | null {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'bigint' || typeof value === 'symbol') return `a ${typeof value}`
  if (value === undefined) return 'undefined'
  // Only objects are left.
  const object = value as object
  if (types.isProxy(object)) return sentence`a proxy: copy its content into an object or a list`
  if (parents.includes(object)) return sentence`an object that contains itself`
  if (parents.length >= MAX_DEPTH) return sentence`deeper than ${MAX_DEPTH} levels`
  return unkeptObject(object)
}

function unkeptObject(value: object): string | null {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null) return sentence`an object without a prototype: spread it, { ...value }`
  if (prototype !== Object.prototype && prototype !== Array.prototype)
    return sentence`an instance of ${nameOf(prototype)}, which JSON cannot restore`
  if (Object.getOwnPropertySymbols(value).length > 0) return sentence`an object with a symbol for a key`
  if (!Array.isArray(value))
    return prototype === Object.prototype ? null : sentence`an object with the prototype of a list`
  if (prototype !== Array.prototype) return sentence`a list with the prototype of an object`
  if (Object.keys(value).some((name) => !/^\d+$/.test(name))) return sentence`a list with members of its own`
  // An array has its items and `length`.
  return Object.getOwnPropertyNames(value).length > value.length ? null : sentence`a list with holes`
}

function nameOf(prototype: unknown): string {
  try {
    const { constructor } = prototype as { constructor?: unknown }
    return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'a class'
  } catch {
    // The prototype belongs to the application, and its getters may throw.
    return 'a class'
  }
}
