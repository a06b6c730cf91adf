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
  /** Whether the body was made whole: false if a stream failed, or the client left before the end of body or request. */
  readonly isComplete: boolean
  /**
   * Pattern of the route, such as `/shop/product/{slug}`, also of a redirect to its canonical URL and of a request that was
   * refused before it was routed, such as a 405; null if the URL belongs to no route.
   */
  readonly pattern: string | null
}

/** Receives what became of a request. */
export type ResponseHook = (event: ResponseEvent) => void

/** What a watch asks of the application. */
export interface WatchParts {
  /** Receives each response, once. */
  readonly report: ResponseHook
  /** Gives the pattern of the route that a URL belongs to, or null. */
  readonly patternAt: (method: string, path: string) => string | null
}

const SWITCHING_PROTOCOLS = 101
// They say that the URL is of no route, or of another host.
const OF_NO_ROUTE: ReadonlySet<number> = new Set([404, 421])

interface Ending {
  readonly bytes: number
  readonly isComplete: boolean
}

/** Watches every response of an application that has hooks for them; any other application has none of it. */
export class ResponseWatch {
  readonly #parts: WatchParts
  // Reading a monotonic clock: a duration never depends on the time of day.
  readonly #begun = new WeakMap<HttpContext, number>()
  readonly #upgrades = new WeakSet<HttpContext>()

  /**
   * @param parts Who receives the responses, and the router.
   */
  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  /**
   * @param context Context of a request that has just arrived.
   */
  begin(context: HttpContext): void {
    this.#begun.set(context, performance.now())
  }

  /**
   * @param context Context of a request for a WebSocket: a 2xx opens one, so the client receives a 101 in its place.
   */
  expectUpgrade(context: HttpContext): void {
    this.#upgrades.add(context)
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
    if (this.#upgrades.has(context) && status >= 200 && status <= 299) {
      this.#end(context, SWITCHING_PROTOCOLS, { bytes: 0, isComplete: true })
      return response
    }
    if (!(payload instanceof ReadableStream)) {
      const isComplete = context.received().isGone !== true
      this.#end(context, status, { bytes: sizeOf(payload), isComplete })
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
    const pattern = context.hasRoute() ? context.route().pattern : this.#patternAt(context, status)
    // After the response has been written, so that no client waits for a log.
    setImmediate(this.#parts.report, { context, status, milliseconds, bytes, isComplete, pattern })
  }

  #patternAt(context: HttpContext, status: number): string | null {
    if (OF_NO_ROUTE.has(status)) return null
    try {
      return this.#parts.patternAt(context.method(), context.path())
    } catch {
      // A table that cannot be compiled: routing found that too, and its error was reported.
      return null
    }
  }
}

function sizeOf(payload: Exclude<Payload, ReadableStream>): number {
  if (payload === null) return 0
  return typeof payload === 'string' ? Buffer.byteLength(payload) : payload.byteLength
}
