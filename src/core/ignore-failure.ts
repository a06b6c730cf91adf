import { types } from 'node:util'

/**
 * Keeps the rejection of a promise from ending the process when it is awaited late or never. Code that awaits it still
 * gets the error. Every promise that reaches an application and that a client, store or peer can reject goes through
 * here.
 *
 * @param promise Any promise.
 * @returns The same promise.
 */
export function ignoreFailure<P extends Promise<unknown>>(promise: P): P {
  promise.then(undefined, ignore)
  return promise
}

/**
 * Does the same for a value of unknown origin that may be a promise and will not be awaited.
 *
 * @param value Any value. The function never throws.
 */
export function discardPromise(value: unknown): void {
  if (!types.isPromise(value)) return
  try {
    // Use the platform's `then`: a subclass may override it, and `then` of a query builder would send the query.
    void Promise.prototype.then.call(value, undefined, ignore)
  } catch {
    // Its species constructor throws.
  }
}

function ignore(): void {
  // Code that awaits the promise handles the error.
}
