import { whenReady } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { HttpException } from '../http/index.ts'
import { LightResponse, TakenResponses } from '../http/internal.ts'
import { ValidationException } from '../input/index.ts'
import { type ErrorServices, respondToError } from './error-responder.ts'
import { withdraw } from './session-commit.ts'

/** Turns what is thrown into a response, whatever fails on the way. */
export class ErrorAnswers {
  readonly #services: ErrorServices
  readonly #responses = new TakenResponses()

  /**
   * @param services How errors are turned into responses.
   */
  constructor(services: Omit<ErrorServices, 'take'>) {
    this.#services = { ...services, take: (response, context) => this.take(response, context) }
  }

  /**
   * @param response A response of the application.
   * @param context Context of the request.
   * @returns The same, as the framework keeps it.
   * @throws {TypeError} If it was already sent, or to another request.
   */
  take(response: Response, context: HttpContext): LightResponse {
    return this.#responses.take(response, context)
  }

  /**
   * @param error What was thrown.
   * @param context Context of the request.
   * @returns The response for it; never throws and never rejects.
   */
  answer(error: unknown, context: HttpContext): LightResponse | Promise<LightResponse> {
    try {
      // Messages of violations have placeholders.
      const formatting = error instanceof ValidationException ? this.#services.messages.ready() : null
      const made = whenReady(formatting, () => this.#make(error, context))
      if (!(made instanceof Promise)) return made
      return made.catch((failure: unknown) => this.answerPlainly(failure, context))
    } catch (failure) {
      // For example, an exception with a header or a status that cannot be sent.
      return this.answerPlainly(failure, context)
    }
  }

  /**
   * @param error What was thrown.
   * @param context Context of the request.
   * @returns The built-in page for it, which depends on nothing else and is available at once.
   */
  answerPlainly(error: unknown, context: HttpContext): LightResponse {
    const services = { ...this.#services, debug: false, renderers: null, template: null, explain: null }
    const respond = (fault: unknown): LightResponse =>
      LightResponse.from(respondToError(fault, context, services) as Response)
    try {
      return respond(error)
    } catch {
      // A proxy, or an object whose members throw: hooks receive it wrapped.
      return respond(new Error('The thrown value cannot be inspected', { cause: error }))
    }
  }

  #make(error: unknown, context: HttpContext): LightResponse | Promise<LightResponse> {
    // Before the error page is made: it must not show a login that is not kept.
    if (!(error instanceof HttpException) || error.status >= 500) withdraw(context)
    return whenReady(respondToError(error, context, this.#services), (page) => this.take(page, context))
  }
}
