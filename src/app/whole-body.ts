import type { HttpContext } from '../context/index.ts'
import { cancelBody, isResponse, LightResponse, type RequestSource } from '../http/internal.ts'
import { withdraw } from './withdraw.ts'

/** A response to make, and its request. */
export interface Answered {
  /** Context of the request. */
  readonly context: HttpContext
  /** Makes the response. */
  readonly make: () => Response | Promise<Response>
}

/**
 * Delays the response to a request whose body length is unknown until the body has ended, because only then is its size
 * known. A body that is read on the way is kept; otherwise, such as after a 404 or a response of a middleware, it is only
 * counted. If it is too large, the response is discarded, and so are values added to the session.
 *
 * @param source The request.
 * @param answered The response to make.
 * @returns The response.
 * @throws {PayloadTooLargeException} Rejects if the body is over the limit, whatever the response was.
 * @throws {unknown} Rejects with the exception of `make()`.
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
