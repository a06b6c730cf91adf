import { discardPromise, isPromiseLike, sentence } from '../core/internal.ts'

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
    throw new TypeError(sentence`Cannot ${what} a promise: await it`)
  }
  const names = Object.keys(values)
  for (const promised of names) {
    if (!isPromiseLike(values[promised])) continue
    for (const name of names) discardPromise(values[name])
    throw new TypeError(sentence`Cannot ${what} "${promised}", which is a promise: await it`)
  }
}

/**
 * Refuses data that a template would not see.
 *
 * @param what What the values are for: `render "news" with`.
 * @param values The values.
 * @param shadowed Names that values cannot have.
 * @throws {TypeError} If a value has one of the names.
 */
export function assertNoneShadowed(
  what: string,
  values: Readonly<Record<string, unknown>>,
  shadowed: ReadonlySet<string>,
): void {
  for (const name of Object.keys(values)) {
    if (!shadowed.has(name)) continue
    throw new TypeError(
      sentence`Cannot ${what} "${name}": in templates this is a word of the language or of the engine; rename the value`,
    )
  }
}
