import { discardPromise, isPromiseLike } from '../core/internal.ts'
import { isResponse } from '../http/internal.ts'

/**
 * Explains what was thrown in place of being returned or awaited, so that whoever reads the report learns what to do.
 *
 * @param thrown Whatever was thrown. A promise ends no process, for nobody will wait for it.
 * @returns The same; of a response or a promise an error that has it as its cause.
 */
export function explainedThrow(thrown: unknown): unknown {
  discardPromise(thrown)
  if (typeof thrown !== 'object' || thrown === null || thrown instanceof Error) return thrown
  if (isResponse(thrown)) {
    const message = `A Response of status ${thrown.status} was thrown: return it instead`
    return new TypeError(message, { cause: thrown })
  }
  if (!isPromiseLike(thrown)) return thrown
  return new TypeError('A promise was thrown: await it, and throw an Error', { cause: thrown })
}
