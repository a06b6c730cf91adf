import { sentence } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { isResponse } from '../http/internal.ts'

/** Whether a value is a response that can be sent: `Response.error()` has the status 0, which cannot. */
export function isSendable(response: unknown): response is Response {
  return isResponse(response) && response.status !== 0
}

/** Names the middlewares, because one of them has probably forgotten to return the result of `next()`. */
export function noResponse(context: HttpContext): TypeError {
  const entered = context.middlewares().join(', ')
  return new TypeError(
    sentence`Cannot respond with a value that is not a response (middlewares that entered: ${entered || 'none'})`,
  )
}
