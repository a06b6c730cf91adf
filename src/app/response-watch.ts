import type { HttpContext } from '../context/index.ts'
import { type LightResponse, type Payload, watchBody } from '../http/internal.ts'

/** What a hook learns of a response, for logs and metrics. */
export interface ResponseEvent {
  /** Context of the request. */
  readonly context: HttpContext
  /** Status of the response. */
  readonly status: number
  /** Time from the arrival of the request until its response was handed over; for a stream, until its end. */
  readonly milliseconds: number
  /** Size of the body in bytes. */
  readonly bytes: number
  /** Whether the body was made whole: false if a stream failed, or the client left before its end. */
  readonly isComplete: boolean
  /** Pattern of the route, such as `/shop/product/{slug}`; null if the request has none. */
  readonly pattern: string | null
}

/** Receives what became of a request. */
export type ResponseHook = (event: ResponseEvent) => void

interface Ending {
  readonly bytes: number
  readonly isComplete: boolean
}

/** Watches every response of an application that has hooks for them; any other application has none of it. */
export class ResponseWatch {
  readonly #report: ResponseHook
  // Reading a monotonic clock: a duration never depends on the time of day.
  readonly #begun = new WeakMap<HttpContext, number>()

  /**
   * @param report Receives each response, once.
   */
  constructor(report: ResponseHook) {
    this.#report = report
  }

  /**
   * @param context Context of a request that has just arrived.
   */
  begin(context: HttpContext): void {
    this.#begun.set(context, performance.now())
  }

  /**
   * Reports a response when it has been handed over; a stream when it has ended, in whatever way.
   *
   * @param response The response.
   * @param context Context of its request.
   * @returns The response to send.
   */
  watch(response: LightResponse, context: HttpContext): LightResponse {
    const { status, payload } = response
    if (!(payload instanceof ReadableStream)) {
      this.#end(context, status, { bytes: sizeOf(payload), isComplete: true })
      return response
    }
    let bytes = 0
    const body = watchBody(payload, {
      onChunk: (size) => (bytes += size),
      onEnd: (isComplete) => this.#end(context, status, { bytes, isComplete }),
    })
    return response.detached(body)
  }

  #end(context: HttpContext, status: number, { bytes, isComplete }: Ending): void {
    const now = performance.now()
    const milliseconds = now - (this.#begun.get(context) ?? now)
    const pattern = context.hasRoute() ? context.route().pattern : null
    // After the response has been written, so that no client waits for a log.
    setImmediate(this.#report, { context, status, milliseconds, bytes, isComplete, pattern })
  }
}

function sizeOf(payload: Exclude<Payload, ReadableStream>): number {
  if (payload === null) return 0
  return typeof payload === 'string' ? Buffer.byteLength(payload) : payload.byteLength
}
