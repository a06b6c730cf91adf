import { declarationError, discardPromise, isPromiseLike, shown } from '../core/internal.ts'

/**
 * Copies the arguments of a declaration, so that nobody changes them afterwards. Lists and plain objects are copied and
 * frozen as deep as they go; anything else is passed on as it is.
 *
 * @param args The arguments.
 * @param label What they are given to, for messages.
 * @returns Frozen arguments.
 * @throws {TypeError} If one is a promise, or contains itself.
 */
export function frozenArguments(args: readonly unknown[], label: string): readonly unknown[] {
  return Object.freeze(args.map((arg) => frozenCopy(arg, label, [])))
}

function frozenCopy(value: unknown, label: string, around: readonly unknown[]): unknown {
  if (isPromiseLike(value)) {
    discardPromise(value)
    throw declarationError(`Cannot use ${label} with a promise: await it first`)
  }
  const isList = Array.isArray(value)
  if (!isList && !isPlain(value)) return value
  if (around.includes(value)) throw declarationError(`Cannot use ${label} with a value that contains itself`)
  const inside = [...around, value]
  if (isList) return Object.freeze(value.map((item) => frozenCopy(item, label, inside)))
  const entries = Object.entries(value).map(([name, item]) => [name, frozenCopy(item, label, inside)])
  return Object.freeze(Object.fromEntries(entries))
}

/**
 * Compares arguments by their values. What may hide a part of its value, such as an instance of a class with private
 * members, or a function, is equal to itself only: a guard must never be taken for another one.
 *
 * @param one A value.
 * @param other Another one.
 * @returns Whether they are the same.
 */
export function areAlike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => areAlike(item, other[index]))
  if (isPlain(one) && isPlain(other)) {
    const [names, others] = [Object.keys(one), Object.keys(other)]
    return (
      names.length === others.length &&
      names.every((name) => Object.hasOwn(other, name) && areAlike(one[name], other[name]))
    )
  }
  const text = textOf(one)
  return text !== null && text === textOf(other)
}

/**
 * Names arguments for messages and lists. Of an object it shows the names of its members only, because a password or a key
 * may be among the values.
 *
 * @param args The arguments.
 * @returns For example `"reports.read", { realm, password }`.
 */
export function argumentsShown(args: readonly unknown[]): string {
  return args.map(argumentShown).join(', ')
}

function argumentShown(arg: unknown): string {
  if (Array.isArray(arg)) return `[${argumentsShown(arg)}]`
  if (!isPlain(arg)) return shown(arg)
  const names = Object.keys(arg)
  return names.length === 0 ? '{}' : `{ ${names.join(', ')} }`
}

// Something that has more to it than its names and values is not copied, or a part would be lost.
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return Reflect.ownKeys(value).length === Object.keys(value).length
}

// The value of these, as a string; null for anything else, also for a class that extends one of them.
function textOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Date.prototype && value instanceof Date) return `date ${value.getTime()}`
  if (prototype === RegExp.prototype && value instanceof RegExp) return `expression ${String(value)}`
  return prototype === URL.prototype && value instanceof URL ? `address ${value.href}` : null
}
