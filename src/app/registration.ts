import type { Definitions } from '../container/index.ts'
import { assertCallback, assertNoPromise, callSite } from '../core/internal.ts'

/** Registers services in the composition root; throws if its callback returns a promise. */
export type Registration = (definitions: Definitions) => void

/**
 * @param configure A callback that registers services.
 * @returns A function that runs it at boot.
 * @throws {TypeError} If it is not a function, or is an async one.
 */
export function registration(configure: (definitions: Definitions) => void): Registration {
  assertCallback(configure, 'register services')
  const place = callSite()
  return (definitions) => {
    assertNoPromise(configure(definitions), 'register services', place)
  }
}
