import type { HttpContext } from '../context/index.ts'
import { whenReady } from '../core/internal.ts'
import type { OutgoingMiddleware } from '../http/index.ts'
import { cancelBody, LightResponse } from '../http/internal.ts'
import { limitCaching } from './caching.ts'
import { isMet } from './condition.ts'
import type { ErrorAnswers } from './error-answers.ts'
import { isDeparture, isFault } from './faults.ts'
import type { KernelParts } from './kernel-parts.ts'
import { tellRefusal } from './refusal-events.ts'
import { applyToEvery, isDocument } from './security-headers.ts'
import { isSendable, noResponse } from './sendable-response.ts'
import type { Commit } from './cookie-commit.ts'

interface OutgoingLayer {
  readonly middleware: OutgoingMiddleware<HttpContext>
  readonly when: ((context: HttpContext) => boolean) | null
}

/** The way of every response out of the application: headers, the outgoing band, the hooks that hear of it. */
export class ResponseExit {
  readonly #parts: KernelParts
  readonly #errors: ErrorAnswers
  readonly #commit: Commit
  readonly #outgoing: readonly OutgoingLayer[]

  /**
   * @param parts The parts of the kernel.
   * @param errors Answers what a middleware of the band throws.
   * @param commit Takes back from the session what an error must not keep.
   */
  constructor(parts: KernelParts, errors: ErrorAnswers, commit: Commit) {
    this.#parts = parts
    this.#errors = errors
    this.#commit = commit
    this.#outgoing = parts.bands.outgoing.map(({ middleware, when }) => ({
      middleware: (typeof middleware === 'function'
        ? parts.container.get(middleware)
        : middleware) as OutgoingMiddleware<HttpContext>,
      when,
    }))
  }

  /**
   * @param response The response of the cycle, its session committed.
   * @param context Context of the request.
   * @returns The response for the adapter.
   */
  leave(response: Response, context: HttpContext): Response | Promise<Response> {
    const light = this.#complete(LightResponse.from(response), context)
    return this.#outgoing.length === 0 ? this.#handOver(light, context) : this.#runOutgoing(light, context)
  }

  // The end of every request: from here on the response belongs to the adapter.
  #handOver(made: LightResponse, context: HttpContext): LightResponse {
    tellRefusal(made.status, context)
    const response = this.#parts.watch?.watch(made, context) ?? made
    if (response.payload instanceof ReadableStream) {
      const { report } = this.#parts.errors
      response.onBodyFault((fault) => {
        if (isFault(fault) && !isDeparture(fault, context) && context.isNewFault(fault))
          report(fault, context)
      })
    }
    if (this.#parts.terminate !== null) setImmediate(this.#parts.terminate, context)
    return response
  }

  /**
   * Turns an error while the response leaves into a response: an adapter never sees an exception.
   *
   * @param error What was thrown.
   * @param context Context of the request.
   * @returns The response for the adapter.
   */
  endBadly(error: unknown, context: HttpContext): LightResponse | Promise<LightResponse> {
    return whenReady(this.#errors.answerPlainly(error, context), (page) => this.#leavePlainly(page, context))
  }

  #leavePlainly(page: LightResponse, context: HttpContext): LightResponse {
    try {
      return this.#handOver(this.#complete(page, context), context)
    } catch {
      // The security headers themselves fail, which has already been reported.
      applyToEvery(page)
      return this.#handOver(page, context)
    }
  }

  #complete(response: LightResponse, context: HttpContext): LightResponse {
    limitCaching(response, context)
    this.#parts.securityHeaders.apply(response, context)
    this.#parts.crossOrigin?.mark(response, context)
    return withoutBodyForHead(response, context)
  }

  async #runOutgoing(left: LightResponse, context: HttpContext): Promise<Response> {
    // The browser must receive what the store has confirmed, even with an error.
    const cookies = left.cookieLines()
    let current = left
    for (const { middleware, when } of this.#outgoing) {
      try {
        if (when !== null && !isMet(when, context)) continue
        const wasDocument = isDocument(current)
        const made = await middleware.process(current, context)
        if (!isSendable(made)) throw noResponse(context)
        const taken = this.#errors.take(made, context)
        // A new response has no security headers yet. What a middleware removes from the response it was given stays removed.
        const isNew = taken !== current && !taken.isDetachedFrom(current)
        if (isNew || (!wasDocument && isDocument(taken))) this.#parts.securityHeaders.apply(taken, context)
        if (isNew) this.#parts.crossOrigin?.mark(taken, context)
        this.#parts.securityHeaders.addNonce(taken, context)
        current = taken
      } catch (error) {
        cancelBody(current)
        const page = await this.#errors.answer(error, context)
        for (const line of cookies) page.append('set-cookie', line)
        current = this.#complete(page, context)
      }
    }
    // Once more: a middleware may have set a cookie, or allowed shared caches.
    const last = current.status >= 500 ? await this.#commit.takeBack(current, context) : current
    limitCaching(last, context)
    return this.#handOver(withoutBodyForHead(last, context), context)
  }
}

function withoutBodyForHead(response: LightResponse, context: HttpContext): LightResponse {
  if (context.sentMethod() !== 'HEAD' || response.payload === null) return response
  cancelBody(response)
  return new LightResponse(response.status, null, response.headerLines())
}
