import { types } from 'node:util'

/**
 * Has the failure of a promise end no process when nobody waits for it, or not yet. Whoever waits gets the error all the
 * same. Every promise that is handed to an application goes through here, where a client, a store or a peer may have it
 * fail.
 *
 * @param promise Any promise.
 * @returns The same promise.
 */
export function ignoreFailure<P extends Promise<unknown>>(promise: P): P {
  promise.then(undefined, ignore)
  return promise
}

/**
 * Does the same to what may be a promise of anybody, which nobody will wait for.
 *
 * @param value Anything. It never throws.
 */
export function discardPromise(value: unknown): void {
  if (!types.isPromise(value)) return
  try {
    // The platform's own, for a promise may have another, or none, and one of a query would send it.
    void Promise.prototype.then.call(value, undefined, ignore)
  } catch {
    // Of a class that cannot be built.
  }
}

function ignore(): void {
  // Of whoever waits.
}
