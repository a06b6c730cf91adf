import type { HttpContext } from '../context/index.ts'
import { whenReady } from '../core/internal.ts'
import { cancelBody, LightResponse } from '../http/internal.ts'
import { limitCaching } from './caching.ts'
import type { ErrorAnswers } from './error-answers.ts'
import { isDeparture, isFault } from './faults.ts'
import type { KernelParts } from './kernel-parts.ts'
import type { OutgoingBand } from './outgoing-band.ts'
import { tellRefusal } from './refusal-events.ts'
import { applyToEvery } from './security-headers.ts'
import type { Commit } from './cookie-commit.ts'

/** The way of every response out of the application: headers, the outgoing band, the hooks that hear of it. */
export class ResponseExit {
  readonly #parts: KernelParts
  readonly #errors: ErrorAnswers
  readonly #band: OutgoingBand | null

  /**
   * @param parts The parts of the kernel.
   * @param errors Answers what a middleware of the band throws.
   * @param commit Takes back from the session what an error must not keep.
   */
  constructor(parts: KernelParts, errors: ErrorAnswers, commit: Commit) {
    this.#parts = parts
    this.#errors = errors
    const { OutgoingBand, bands } = parts
    const complete = (response: LightResponse, context: HttpContext): LightResponse =>
      this.#complete(response, context)
    this.#band =
      OutgoingBand === null ? null : new OutgoingBand(bands.outgoing, { ...parts, errors, commit, complete })
  }

  /**
   * @param response The response of the cycle, its session committed.
   * @param context Context of the request.
   * @returns The response for the adapter.
   */
  leave(response: Response, context: HttpContext): Response | Promise<Response> {
    const light = this.#complete(LightResponse.from(response), context)
    return this.#band === null ? this.#handOver(light, context) : this.#passBand(this.#band, light, context)
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

  async #passBand(band: OutgoingBand, light: LightResponse, context: HttpContext): Promise<Response> {
    const last = await band.run(light, context)
    return this.#handOver(withoutBodyForHead(last, context), context)
  }
}

function withoutBodyForHead(response: LightResponse, context: HttpContext): LightResponse {
  if (context.sentMethod() !== 'HEAD' || response.payload === null) return response
  cancelBody(response)
  return new LightResponse(response.status, null, response.headerLines())
}
