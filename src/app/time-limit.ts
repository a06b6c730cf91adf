import type { HttpContext } from '../context/index.ts'
import { MAX_TIMER_MILLISECONDS } from '../core/internal.ts'
import { cancelBody, LightResponse } from '../http/internal.ts'
import { HttpException } from '../http/index.ts'
import { isFault } from './error-responder.ts'
import { withdraw } from './session-commit.ts'
import { TimeOverException } from './time-over-exception.ts'

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
 * Answers for an action that takes too long. Nothing can stop it: its signal aborts, its answer is discarded, and a
 * fault that it throws later is reported, unless it is the end of what was aborted. One that still waits for the body of
 * the request is answered with a 408, and nothing of that is reported.
 *
 * @param pending The answer that the action is making.
 * @param limit The time that it has.
 * @returns The answer.
 * @throws {ServiceUnavailableException} Rejects if there is none in time.
 * @throws {HttpException} Rejects with a 408 if there is none because the client has not sent its body.
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
      // The answer first: what waits for the signal may throw.
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

// The fault is the client's and nobody's here. The action was left in the middle: what it has written is half of something.
function stalled(context: HttpContext): HttpException {
  withdraw(context)
  const headers = { connection: 'close' }
  return new HttpException(408, 'ERR_HTTP_REQUEST_TIMEOUT', 'The request did not arrive in time', { headers })
}

function isAbort(error: unknown, { signal }: HttpContext): boolean {
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError')
}
