// Who checks or explains does it in a terminal or in CI, where nobody else ends a wait.
const ANSWER_MILLISECONDS = 5000

/** A resolver has not answered in the time that a check or an explanation has for it. */
export class SilentResolver extends Error {}

/**
 * Waits for a resolver no longer than a check or an explanation may take for it.
 *
 * @param answer What it gives.
 * @param sentence Says who has not answered, when it is too late; the time stands behind it.
 * @returns The answer.
 * @throws {SilentResolver} Rejects if there is none in time.
 */
export async function withinAnswerTime<T>(answer: T | Promise<T>, sentence: () => string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new SilentResolver(`${sentence()} within ${ANSWER_MILLISECONDS} ms`))
  }, ANSWER_MILLISECONDS)
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
