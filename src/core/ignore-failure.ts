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

function ignore(): void {
  // Of whoever waits.
}
