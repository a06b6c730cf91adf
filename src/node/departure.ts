import type { ServerResponse } from 'node:http'

/**
 * @param outgoing The response of a request, with its connection.
 * @returns A signal that aborts when the connection closes before the response is complete.
 */
export function departureOf(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const leave = (): void => {
    // Node also emits `close` for a response that has been sent.
    if (!outgoing.writableFinished) controller.abort()
  }
  if (outgoing.destroyed) leave()
  else outgoing.once('close', leave)
  return controller.signal
}
