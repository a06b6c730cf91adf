import { discardPromise, isPromiseLike } from '../core/internal.ts'

/**
 * Refuses promises among the values of a page: a template would take one for an object that has nothing of what it asks
 * for, and render the empty page.
 *
 * @param what What the values are for: `render "news" with`.
 * @param values The values.
 * @throws {TypeError} If one of the values is a promise, or all of them are one.
 */
export function assertNoPromises(what: string, values: Readonly<Record<string, unknown>>): void {
  if (isPromiseLike(values)) {
    discardPromise(values)
    throw new TypeError(`Cannot ${what} a promise: await it`)
  }
  const names = Object.keys(values)
  for (const promised of names) {
    if (!isPromiseLike(values[promised])) continue
    for (const name of names) discardPromise(values[name])
    throw new TypeError(`Cannot ${what} "${promised}", which is a promise: await it`)
  }
}
