// Who checks or explains does it in a terminal or in CI, where nobody else ends a wait.
const ANSWER_MILLISECONDS = 5000

/** A resolver has not answered in the time that a check or an explanation has for it. */
export class SilentResolver extends Error {}

/** Waits for a resolver no longer than that. When it is too late, the sentence says who has not answered. */
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
