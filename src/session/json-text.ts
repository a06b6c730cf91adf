import { types } from 'node:util'
import type { Json } from '../core/index.ts'
import { notAKey } from './session-argument.ts'

// A text without anything that would have to be unescaped, or that is no JSON.
const PLAIN_TEXT = /^"[ !#-[\]-\uffff]*"$/
// Deeper values are refused: they would end the stack of whoever reads them.
const MAX_DEPTH = 500

/**
 * @param key Key of an entry, for the message.
 * @param value Its value.
 * @returns The JSON text that a store keeps. It reads back equal to the value.
 * @throws {TypeError} If the key is no string, or JSON cannot hold the value as it is: a date, a map, an instance of a class, NaN, a hole.
 */
export function textOf(key: string, value: Json): string {
  if (typeof key !== 'string') throw notAKey(key)
  if (typeof value === 'string' || isExact(value, 0)) return JSON.stringify(value)
  throw new TypeError(`Cannot keep "${key}" in the session: ${faultOf({ value, path: '', parents: [] })}`)
}

/**
 * @param json A text that `textOf()` made.
 * @returns A copy of the value.
 * @throws {SyntaxError} If it is no JSON.
 */
export function valueOf(json: string): unknown {
  // Most entries are texts without a backslash: between the quotes they stand as they are, and cutting them out takes
  // half of what the parser takes.
  return PLAIN_TEXT.test(json) ? json.slice(1, -1) : JSON.parse(json)
}

// Every set of a session comes by here: one walk that keeps no path.
function isExact(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
    case 'object':
      if (value === null) return true
      // What a proxy answers now need not be what is written then. None of its traps is called.
      if (depth === MAX_DEPTH || types.isProxy(value)) return false
      return Array.isArray(value) ? isExactList(value, depth + 1) : isExactObject(value, depth + 1)
    default:
      return false
  }
}

function isExactList(list: readonly unknown[], depth: number): boolean {
  if (Object.getPrototypeOf(list) !== Array.prototype) return false
  // Beside the items there is the length. A list with a hole has fewer names, one with members of its own has more.
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
  // A getter may answer otherwise each time, and what is hidden would be left out.
  if (member === undefined || !('value' in member) || member.enumerable !== true) return false
  return isExact(member.value, depth)
}

interface Place {
  readonly value: unknown
  readonly path: string
  readonly parents: readonly object[]
}

// The same walk again, slowly, for the message: it names the place and never the value.
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
  // Nothing of the kind is known: what is judged holds data alone.
  return `${path === '' ? 'its value' : path} is nothing that JSON can hold`
}

// Of a list the length alone is hidden.
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
  // What is not kept and none of these is an object.
  const object = value as object
  if (types.isProxy(object)) return 'a proxy: keep what it stands for, in an object or a list of its own'
  if (parents.includes(object)) return 'an object that holds itself'
  if (parents.length >= MAX_DEPTH) return `deeper than ${MAX_DEPTH} levels`
  return unkeptObject(object)
}

function unkeptObject(value: object): string | null {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null) return 'an object without a prototype: spread it, { ...value }'
  if (prototype !== Object.prototype && prototype !== Array.prototype)
    return `an instance of ${nameOf(prototype)}, which JSON cannot give back`
  if (Object.getOwnPropertySymbols(value).length > 0) return 'an object with a symbol for a key'
  if (!Array.isArray(value))
    return prototype === Object.prototype ? null : 'no list, with the prototype of one'
  if (prototype !== Array.prototype) return 'a list with the prototype of an object'
  if (Object.keys(value).some((name) => !/^\d+$/.test(name))) return 'a list with members of its own'
  // Beside the items there is the length.
  return Object.getOwnPropertyNames(value).length > value.length ? null : 'a list with holes'
}

function nameOf(prototype: unknown): string {
  try {
    const { constructor } = prototype as { constructor?: unknown }
    return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'a class'
  } catch {
    // The prototype is the application's, and may do anything.
    return 'a class'
  }
}
