import { ignoreFailure } from '../core/index.ts'

/**
 * Has no promise in a value end the process: the value is refused, so nobody will wait for what it holds.
 *
 * @param root Anything. It never throws, although a value may throw when it is looked at.
 */
export function ignorePromisesIn(root: unknown): void {
  const seen = new Set<unknown>()
  const pending: unknown[] = [root]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (value instanceof Promise) void ignoreFailure(value)
    else for (const member of membersOf(value)) pending.push(member)
  }
}

function membersOf(value: object): Iterable<unknown> {
  try {
    const isCollection = value instanceof Map || value instanceof Set
    if (isCollection) return [...(value as ReadonlyMap<unknown, unknown>).values()]
    return ArrayBuffer.isView(value) ? [] : (Object.values(value) as unknown[])
  } catch {
    return []
  }
}
