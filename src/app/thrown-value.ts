import { discardPromise, isPromiseLike, sentence } from '../core/internal.ts'
import { isResponse } from '../http/internal.ts'

/**
 * Explains a value that was thrown instead of returned or awaited, so that the report says what to do.
 *
 * @param thrown What was thrown. A promise cannot end the process by its rejection.
 * @returns The same value; for a response or a promise an error that has it as its cause.
 */
export function explainedThrow(thrown: unknown): unknown {
  discardPromise(thrown)
  if (typeof thrown !== 'object' || thrown === null || thrown instanceof Error) return thrown
  if (isResponse(thrown)) {
    const message = sentence`A Response of status ${thrown.status} was thrown: return it instead`
    return new TypeError(message, { cause: thrown })
  }
  if (!isPromiseLike(thrown)) return thrown
  return new TypeError(sentence`A promise was thrown: await it, and throw an Error`, { cause: thrown })
}
