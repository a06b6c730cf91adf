import { types } from 'node:util'
import { discardPromise } from '../core/internal.ts'

// A getter or a proxy may create new values without end; stored values are finite.
const MAX_MADE = 100_000

/**
 * Keeps the promises inside a refused value from ending the process: nobody will await them. Values of getters and
 * proxies are visited last, at most 100,000 of them.
 *
 * @param root Any value. The function never throws, even if inspecting the value does.
 */
export function ignorePromisesIn(root: unknown): void {
  const seen = new Set<unknown>()
  const standing: object[] = []
  const making: object[] = []
  const stand = (value: unknown): void => {
    if (isUnseen(value, seen)) standing.push(value)
  }
  stand(root)
  for (const value of standing) if (!hasAllStanding(value, stand)) making.push(value)

  let left = MAX_MADE
  const make = (value: unknown): void => {
    if (left === 0 || !isUnseen(value, seen)) return
    left--
    making.push(value)
  }
  for (const value of making) {
    hasAllStanding(value, make)
    takeMade(value, make)
  }
}

// A promise is handled here and has no members to visit.
function isUnseen(value: unknown, seen: Set<unknown>): value is object {
  if (typeof value !== 'object' || value === null || seen.has(value)) return false
  seen.add(value)
  discardPromise(value)
  return !types.isPromise(value)
}

// Returns whether all members were visited: getters and proxies are left for later.
function hasAllStanding(value: object, take: (member: unknown) => void): boolean {
  if (types.isProxy(value)) return false
  if (ArrayBuffer.isView(value)) return true
  if (types.isMap(value) || types.isSet(value)) takeEntries(value, take)
  let isAll = true
  for (const key of keysOf(value)) {
    const member = Object.getOwnPropertyDescriptor(value, key)
    if (member?.get === undefined) take(member?.value)
    else isAll = false
  }
  return isAll
}

function takeEntries(
  collection: ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>,
  take: (member: unknown) => void,
): void {
  const both = (member: unknown, key: unknown): void => {
    take(member)
    take(key)
  }
  // A subclass may override `forEach`.
  if (types.isMap(collection)) Map.prototype.forEach.call(collection, both)
  else Set.prototype.forEach.call(collection, both)
}

function takeMade(value: object, take: (member: unknown) => void): void {
  if (ArrayBuffer.isView(value)) return
  for (const key of keysOf(value)) {
    try {
      take(Reflect.get(value, key))
    } catch (thrown) {
      discardPromise(thrown)
    }
  }
}

function keysOf(value: object): readonly string[] {
  try {
    return Object.keys(value)
  } catch {
    // A revoked proxy.
    return []
  }
}
