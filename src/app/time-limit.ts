import type { HttpContext } from '../context/index.ts'
import { cancelBody, LightResponse, ServiceUnavailableException } from '../http/index.ts'

// A timer that is set for longer fires at once.
const MAX_TIMER_MILLISECONDS = 2 ** 31 - 1

/** The time of an action, and who learns what it does after that. */
export interface TimeLimit {
  /** Milliseconds until the action is answered for. */
  readonly milliseconds: number
  /** Context of the request; its signal aborts when the time is over. */
  readonly context: HttpContext
  /** Is given what the action throws after its time. */
  readonly report: (error: unknown, context: HttpContext) => void
}

/**
 * Answers for an action that takes too long. Nothing can stop it: its signal aborts, its answer is discarded, and what
 * it throws later is reported, unless it is the end of what was aborted.
 *
 * @param pending The answer that the action is making.
 * @param limit The time that it has.
 * @returns The answer.
 * @throws {ServiceUnavailableException} Rejects if there is none in time.
 */
export function withinTime(pending: Promise<Response>, limit: TimeLimit): Promise<Response> {
  const { milliseconds, context } = limit
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  let isOver = false
  const timer = setTimeout(
    () => {
      isOver = true
      const { controller, action } = context.route()
      const text = `${controller.name}.${action} took longer than ${milliseconds} ms`
      const cause = new DOMException(text, 'TimeoutError')
      // The answer first: what waits for the signal may throw.
      reject(new ServiceUnavailableException(undefined, { cause }))
      context.endTime(cause)
    },
    Math.min(milliseconds, MAX_TIMER_MILLISECONDS),
  )
  pending.then(
    (response) => {
      clearTimeout(timer)
      if (isOver) cancelBody(LightResponse.from(response))
      else resolve(response)
    },
    (error: unknown) => {
      clearTimeout(timer)
      if (!isOver) reject(error)
      else if (!isAbort(error, context)) limit.report(error, context)
    },
  )
  return promise
}

function isAbort(error: unknown, { signal }: HttpContext): boolean {
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError')
}
