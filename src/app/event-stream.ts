import type { HttpContext } from '../context/index.ts'
import { assertMilliseconds, assertOptions, declarationError, shown } from '../core/internal.ts'
import { LightResponse } from '../http/internal.ts'
import { EventFeed } from './event-feed.ts'
import { parseLastEventId, type StreamedEvent } from './event-format.ts'

/** Options of {@link eventStream}. */
export interface EventStreamOptions {
  /**
   * Milliseconds of silence after which a comment is sent, so that proxies keep the connection open and a client that has
   * gone is noticed. Default: 15000.
   */
  readonly heartbeatMilliseconds?: number
  /** Milliseconds that a client waits until it reconnects. Default: what the client does, about three seconds. */
  readonly retryMilliseconds?: number
}

/**
 * Gives the events of a stream, usually an async generator function.
 *
 * @param lastEventId Id of the last event that the client received before it reconnected; null on its first connection and
 * for a malformed one. The client chooses it.
 * @returns The events.
 */
export type EventSourceFunction = (lastEventId: string | null) => AsyncIterable<StreamedEvent>

const HEARTBEAT_MILLISECONDS = 15_000

/**
 * Creates a response that sends events as they happen (server-sent events), for `EventSource` in browsers. The next event is
 * taken when the client has room for it.
 *
 * The stream ends when the generator returns, when the client disconnects and when the application closes. In each case
 * `context.signal` aborts, and the `finally` blocks of the generator run. Pass the signal to everything that the generator
 * waits for. A client reconnects after each end, unless it is told not to.
 *
 * The session is committed before the first event: the generator cannot change it.
 *
 * @param context Context of the request.
 * @param source Gives the events.
 * @param options Heartbeat and reconnection.
 * @returns The response.
 * @throws {TypeError} If the source is not a function that returns an async iterable, or an option is unknown.
 * @throws {RangeError} If a time is not above 0.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule, eventStream } from 'sallyport'
 * import { TestClient } from 'sallyport/testing'
 *
 * class CountController extends Controller {
 *   static readonly actions = { index: [] }
 *   index() {
 *     return eventStream(this.context, async function* (lastEventId) {
 *       for (let i = Number(lastEventId ?? 0) + 1; i <= 3; i++) yield { id: i, data: { count: i } }
 *     })
 *   }
 * }
 * const counts = defineModule('Counts', (module) => module.controllers(CountController))
 * const client = new TestClient(App.default().modules(counts))
 *
 * const response = await client.get('/counts/count', { headers: { 'last-event-id': '2' } })
 * assert.equal(response.headers.get('content-type'), 'text/event-stream')
 * assert.match(await response.text(), /^id: 3\ndata: {"count":3}\n\n$/m)
 * ```
 * @see WHATWG HTML, section 9.2, "Server-sent events".
 */
export function eventStream(
  context: HttpContext,
  source: EventSourceFunction,
  options: EventStreamOptions = {},
): Response {
  if (typeof source !== 'function')
    throw declarationError(`Cannot stream events from ${shown(source)}: pass an async generator function`)
  assertOptions(options, ['heartbeatMilliseconds', 'retryMilliseconds'], 'eventStream()')
  const { heartbeatMilliseconds = HEARTBEAT_MILLISECONDS, retryMilliseconds } = options
  assertMilliseconds(heartbeatMilliseconds, 'heartbeatMilliseconds')
  if (retryMilliseconds !== undefined) assertMilliseconds(retryMilliseconds, 'retryMilliseconds')
  const events = () => source(parseLastEventId(context.header('last-event-id')))
  const feed = new EventFeed({ context, events, heartbeatMilliseconds, retryMilliseconds })
  // Nothing on the way may store, change or hold back the events; the last header says so to nginx.
  const lines = ['content-type', 'text/event-stream', 'cache-control', 'no-store, no-transform']
  return new LightResponse(200, feed.open(), [...lines, 'x-accel-buffering', 'no'])
}
