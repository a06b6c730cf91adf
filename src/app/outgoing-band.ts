import type { Container } from '../container/internal.ts'
import type { HttpContext } from '../context/index.ts'
import type { OutgoingMiddleware } from '../http/index.ts'
import { cancelBody, type LightResponse } from '../http/internal.ts'
import { limitCaching } from './caching.ts'
import { isMet } from './condition.ts'
import type { Commit } from './cookie-commit.ts'
import type { CrossOrigin } from './cross-origin.ts'
import type { ErrorAnswers } from './error-answers.ts'
import type { OutgoingEntry } from './middleware-bands.ts'
import { isDocument, type SecurityHeaders } from './security-headers.ts'
import { isSendable, noResponse } from './sendable-response.ts'

/** What the outgoing band needs of its application. */
export interface OutgoingBandParts {
  /** Where instances of its middlewares are. */
  readonly container: Container
  /** Answers what a middleware throws. */
  readonly errors: ErrorAnswers
  /** Takes back from the session what an error must not keep. */
  readonly commit: Commit
  /** Headers of every response. */
  readonly securityHeaders: SecurityHeaders
  /** What pages of other origins may do; null if no module says so. */
  readonly crossOrigin: CrossOrigin | null
  /** Gives a new response what every response has. */
  readonly complete: (response: LightResponse, context: HttpContext) => LightResponse
}

interface OutgoingLayer {
  readonly middleware: OutgoingMiddleware<HttpContext>
  readonly when: ((context: HttpContext) => boolean) | null
}

/** The outgoing band: its middlewares see every response once. */
export class OutgoingBand {
  readonly #parts: OutgoingBandParts
  readonly #layers: readonly OutgoingLayer[]

  /**
   * @param entries What is registered, in running order.
   * @param parts What the band needs.
   */
  constructor(entries: readonly OutgoingEntry[], parts: OutgoingBandParts) {
    this.#parts = parts
    this.#layers = entries.map(({ middleware, when }) => ({
      middleware: (typeof middleware === 'function'
        ? parts.container.get(middleware)
        : middleware) as OutgoingMiddleware<HttpContext>,
      when,
    }))
  }

  /**
   * @param left A response that is complete.
   * @param context Context of the request.
   * @returns What the band makes of it; never rejects.
   */
  async run(left: LightResponse, context: HttpContext): Promise<LightResponse> {
    const { errors, commit, complete } = this.#parts
    // The browser must receive what the store has confirmed, even with an error.
    const cookies = left.cookieLines()
    let current = left
    for (const layer of this.#layers) {
      try {
        current = await this.#process(current, layer, context)
      } catch (error) {
        cancelBody(current)
        const page = await errors.answer(error, context)
        for (const line of cookies) page.append('set-cookie', line)
        current = complete(page, context)
      }
    }
    // Once more: a middleware may have set a cookie, or allowed shared caches.
    const last = current.status >= 500 ? await commit.takeBack(current, context) : current
    limitCaching(last, context)
    return last
  }

  async #process(
    current: LightResponse,
    { middleware, when }: OutgoingLayer,
    context: HttpContext,
  ): Promise<LightResponse> {
    const { errors, securityHeaders, crossOrigin } = this.#parts
    if (when !== null && !isMet(when, context)) return current
    const wasDocument = isDocument(current)
    const made = await middleware.process(current, context)
    if (!isSendable(made)) throw noResponse(context)
    const taken = errors.take(made, context)
    // A new response has no security headers yet. What a middleware removes from the response it was given stays removed.
    const isNew = taken !== current && !taken.isDetachedFrom(current)
    if (isNew || (!wasDocument && isDocument(taken))) securityHeaders.apply(taken, context)
    if (isNew) crossOrigin?.mark(taken, context)
    securityHeaders.addNonce(taken, context)
    return taken
  }
}
