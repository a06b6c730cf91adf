import { types } from 'node:util'
import { discardPromise } from '../core/internal.ts'

// What a getter or a proxy makes may be new each time, without an end. What stands in a value has one.
const MOST_MADE = 100_000

/**
 * Has no promise in a value end the process: the value is refused, so nobody will wait for what it holds. What getters and
 * proxies make is looked at last, and no more than 100,000 values of it.
 *
 * @param root Anything. It never throws, although a value may throw when it is looked at.
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

  let left = MOST_MADE
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

// A promise is dealt with here, and has no members to look at.
function isUnseen(value: unknown, seen: Set<unknown>): value is object {
  if (typeof value !== 'object' || value === null || seen.has(value)) return false
  seen.add(value)
  discardPromise(value)
  return !types.isPromise(value)
}

// Gives whether that was all: a getter was not asked, nor was a proxy.
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
  // A class of its own may have others.
  if (types.isMap(collection)) Map.prototype.forEach.call(collection, both)
  else Set.prototype.forEach.call(collection, both)
}

function takeMade(value: object, take: (member: unknown) => void): void {
  if (ArrayBuffer.isView(value)) return
  for (const key of keysOf(value)) {
    try {
      take((value as Readonly<Record<string, unknown>>)[key])
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
