import type { HttpContext } from '../context/index.ts'
import { cancelBody, isResponse, LightResponse, type RequestSource } from '../http/internal.ts'
import { withdraw } from './session-commit.ts'

/** What is answered, and of whom. */
export interface Answered {
  /** Context of the request. */
  readonly context: HttpContext
  /** Makes the answer. */
  readonly make: () => Response | Promise<Response>
}

/**
 * Answers a request whose body is of unknown length when the body has ended: only then is known whether it is over the
 * limit. Whoever reads it on the way has it kept; where nobody has, after a 404 or an answer of a middleware, it is
 * counted. If it turns out too large, the answer is discarded, and so is what was added to the session.
 *
 * @param source The request.
 * @param answered What is answered.
 * @returns The answer.
 * @throws {PayloadTooLargeException} Rejects if the body is over the limit, whatever the answer was.
 * @throws {unknown} Rejects with what the answer was refused with.
 */
export async function withWholeBody(source: RequestSource, { context, make }: Answered): Promise<Response> {
  let response: Response
  try {
    response = await make()
  } catch (error) {
    await source.finishBody()
    throw error
  }
  try {
    await source.finishBody()
  } catch (error) {
    if (isResponse(response)) cancelBody(LightResponse.from(response))
    withdraw(context)
    throw error
  }
  return response
}
