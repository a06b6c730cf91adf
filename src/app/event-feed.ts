import type { HttpContext } from '../context/index.ts'
import { shown } from '../core/internal.ts'
import { COMMENT, formatEvent, formatRetry, type StreamedEvent } from './event-format.ts'

/** What a feed is made of. */
export interface EventFeedParts {
  /** Context of the request. */
  readonly context: HttpContext
  /** Gives the events. */
  readonly events: () => AsyncIterable<StreamedEvent>
  /** Milliseconds of silence after which a comment is sent. */
  readonly heartbeatMilliseconds: number
  /** Milliseconds until a client reconnects; null: it decides. */
  readonly retryMilliseconds: number | undefined
}

// How long a client that takes nothing may hold up the end of the application.
const LINGER_MILLISECONDS = 1000

/** What the source has given. */
type Arrival = { readonly result: IteratorResult<StreamedEvent, unknown> } | { readonly fault: unknown }

/** The body of an event stream: it takes an event from the source whenever the client has room for one. */
export class EventFeed {
  readonly #parts: EventFeedParts
  readonly #encoder = new TextEncoder()
  readonly #end = (): void => this.#finish()
  readonly #close = (): void => this.#finish(LINGER_MILLISECONDS)
  #iterator: AsyncIterator<StreamedEvent, unknown> | null = null
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #arrival: Arrival | null = null
  #isAsking = false
  #hasBegun = false
  #isOver = false
  #isPulled = false
  #wake: (() => void) | null = null
  #linger: NodeJS.Timeout | undefined

  /**
   * @param parts The parts.
   */
  constructor(parts: EventFeedParts) {
    this.#parts = parts
  }

  /**
   * @returns The stream of the bytes. If the application is closing, it ends after its first lines.
   * @throws {TypeError} If the source gives no async iterable.
   * @throws {unknown} What the source throws.
   */
  open(): ReadableStream<Uint8Array> {
    if (this.#parts.context.closing.hasBegun) this.#isOver = true
    else this.#iterator = iteratorOf(this.#parts.events())
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: async (controller) => {
          this.#isPulled = true
          await this.#pull(controller)
          this.#isPulled = false
        },
        cancel: () => {
          clearTimeout(this.#linger)
          this.#controller = null
          this.#finish()
        },
      },
      // Nothing is taken from the source before the client asks for it.
      { highWaterMark: 0 },
    )
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (!this.#hasBegun) return this.#begin(controller)
    if (this.#isOver) return this.#closeBody()
    this.#ask()
    if (this.#arrival === null && !this.#isOver) await this.#wait()
    // The stream has been closed meanwhile.
    if (this.#isOver) return
    const arrival = this.#arrival
    this.#arrival = null
    if (arrival === null) return this.#send(controller, COMMENT)
    if ('fault' in arrival) return this.#fail(arrival.fault)
    if (arrival.result.done === true) return this.#finish()
    try {
      this.#send(controller, formatEvent(arrival.result.value))
    } catch (fault) {
      this.#fail(fault)
    }
  }

  // Some clients and proxies show a response only when its first bytes have come.
  #begin(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { retryMilliseconds, context } = this.#parts
    this.#hasBegun = true
    // Not before: nothing would remove the listeners of a body that a middleware has replaced.
    if (!this.#isOver) {
      context.signal.addEventListener('abort', this.#end)
      context.closing.add(this.#close)
    }
    this.#send(controller, retryMilliseconds === undefined ? COMMENT : formatRetry(retryMilliseconds))
    if (context.closing.hasBegun || context.signal.aborted) this.#finish()
    if (this.#isOver) this.#closeBody()
  }

  #send(controller: ReadableStreamDefaultController<Uint8Array>, text: string): void {
    controller.enqueue(this.#encoder.encode(text))
  }

  #ask(): void {
    const iterator = this.#iterator
    if (iterator === null || this.#isAsking || this.#arrival !== null || this.#isOver) return
    this.#isAsking = true
    Promise.resolve(iterator.next()).then(
      (result) => this.#arrive({ result }),
      (fault: unknown) => this.#arrive({ fault }),
    )
  }

  #arrive(arrival: Arrival): void {
    this.#isAsking = false
    if (!this.#isOver) this.#arrival = arrival
    else if ('fault' in arrival) this.#reportLate(arrival.fault)
    this.#wake?.()
  }

  // Until the source gives something, the stream ends or the silence has lasted too long. A race of promises would add a
  // listener to the same pending promise with each heartbeat.
  async #wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, this.#parts.heartbeatMilliseconds)
    this.#wake = resolve
    await promise
    this.#wake = null
    clearTimeout(timer)
  }

  #fail(fault: unknown): void {
    const controller = this.#controller
    this.#controller = null
    // An operation that was aborted by the signal of the request is not an error.
    if (!this.#isAbort(fault)) controller?.error(fault)
    else controller?.close()
    this.#finish()
  }

  #finish(lingerMilliseconds = 0): void {
    if (this.#isOver) return
    this.#isOver = true
    const { context } = this.#parts
    context.signal.removeEventListener('abort', this.#end)
    context.closing.remove(this.#close)
    if (lingerMilliseconds === 0 || this.#isPulled) this.#closeBody()
    else this.#cutOffAfter(lingerMilliseconds)
    // Ends what the source is waiting for; only then can its `finally` blocks run.
    context.endTime(new DOMException('The event stream has ended', 'AbortError'))
    this.#release()
    this.#wake?.()
  }

  #closeBody(): void {
    clearTimeout(this.#linger)
    this.#controller?.close()
    this.#controller = null
  }

  // The client has not taken what was sent. If it does not within this time, the connection is cut; it comes again with the
  // id of the last event that it received.
  #cutOffAfter(milliseconds: number): void {
    this.#linger = setTimeout(() => {
      const fault = new DOMException(
        'The client did not take its events while the application closed',
        'AbortError',
      )
      // Known already: not reported when the body fails with it.
      this.#parts.context.isNewFault(fault)
      this.#controller?.error(fault)
      this.#controller = null
    }, milliseconds)
  }

  #release(): void {
    const iterator = this.#iterator
    this.#iterator = null
    try {
      iterator?.return?.().then(undefined, (fault: unknown) => this.#reportLate(fault))
    } catch (fault) {
      this.#reportLate(fault)
    }
  }

  // The stream is over, so the fault cannot cut it off.
  #reportLate(fault: unknown): void {
    if (!this.#isAbort(fault)) this.#parts.context.reportFault(fault)
  }

  #isAbort(fault: unknown): boolean {
    const { signal } = this.#parts.context
    if (!signal.aborted) return false
    return fault === signal.reason || (fault instanceof Error && fault.name === 'AbortError')
  }
}

function iteratorOf(events: unknown): AsyncIterator<StreamedEvent, unknown> {
  if (typeof events === 'object' && events !== null && Symbol.asyncIterator in events)
    return (events as AsyncIterable<StreamedEvent>)[Symbol.asyncIterator]()
  throw new TypeError(
    `Cannot stream events from ${shown(events)}: pass a function that returns an async iterable, such as async function* () { … }`,
  )
}
