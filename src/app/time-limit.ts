import type { HttpContext } from '../context/index.ts'
import { MAX_TIMER_MILLISECONDS } from '../core/internal.ts'
import { cancelBody, LightResponse, requestTimeout } from '../http/internal.ts'
import type { HttpException } from '../http/index.ts'
import { isFault } from './faults.ts'
import { withdraw } from './withdraw.ts'
import { TimeOverException } from './time-over-exception.ts'

/** The time limit of an action. */
export interface TimeLimit {
  /** The limit in milliseconds. */
  readonly milliseconds: number
  /** Context of the request; its signal aborts when the time is over. */
  readonly context: HttpContext
  /** Receives errors that the action throws after its time limit. */
  readonly report: (error: unknown, context: HttpContext) => void
}

/**
 * Responds in place of an action that takes too long. The action cannot be stopped: its signal aborts, its response is
 * discarded, and a later error is reported unless the abort caused it. If the action still waits for the body of the
 * request, the response is a 408 and nothing is reported.
 *
 * @param pending The response of the action.
 * @param limit The time limit.
 * @returns The response.
 * @throws {ServiceUnavailableException} Rejects if the time is over.
 * @throws {HttpException} Rejects with a 408 if the time is over because the client has not sent its body.
 * @see RFC 9110 section 15.5.9.
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
      // Reject first: listeners of the signal may throw.
      reject(context.received().awaitsBody ? stalled(context) : new TimeOverException(cause))
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
      else if (isFault(error) && !isAbort(error, context)) limit.report(error, context)
    },
  )
  return promise
}

// The client caused it. The action stopped halfway, so nothing that it has set is kept.
function stalled(context: HttpContext): HttpException {
  withdraw(context)
  return requestTimeout()
}

function isAbort(error: unknown, { signal }: HttpContext): boolean {
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError')
}
