import { completeMessage, sentence, whenReady } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { BadRequestException, HttpException } from '../http/index.ts'
import { isUnsendable, LightResponse, TakenResponses } from '../http/internal.ts'
import { ValidationException } from '../input/index.ts'
import type { ErrorServices } from './error-responder.ts'
import { withExceptionHeaders } from './exception-headers.ts'
import { isDeparture, isFault } from './faults.ts'
import { errorPages } from './late-errors.ts'
import { refusal } from './refusal.ts'
import { withdraw } from './withdraw.ts'
import { explainedThrow } from './thrown-value.ts'
import { toldBy } from './time-over-exception.ts'

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
      const made = whenReady(completeMessage(error), () =>
        whenReady(formatting, () => this.#make(error, context)),
      )
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
   * @returns The built-in page for it, which depends on nothing else; a promise only while its code is loaded.
   */
  answerPlainly(error: unknown, context: HttpContext): LightResponse | Promise<LightResponse> {
    const services = { ...this.#services, debug: false, renderers: null, template: null, explain: null }
    const respond = (fault: unknown): LightResponse | Promise<LightResponse> =>
      whenReady(respondTo(fault, context, services), (page) => LightResponse.from(page))
    // A proxy, or an object whose members throw: hooks receive it wrapped.
    const respondWrapped = (): LightResponse | Promise<LightResponse> =>
      respond(new Error(sentence`The thrown value cannot be inspected`, { cause: error }))
    try {
      const made = respond(error)
      return made instanceof Promise ? made.catch(respondWrapped) : made
    } catch {
      return respondWrapped()
    }
  }

  #make(error: unknown, context: HttpContext): LightResponse | Promise<LightResponse> {
    // Before the error page is made: it must not show a login that is not kept.
    if (!(error instanceof HttpException) || error.status >= 500) withdraw(context)
    return whenReady(respondTo(error, context, this.#services), (page) => this.take(page, context))
  }
}

// What is thrown is reported at once, whatever its page has to wait for.
function respondTo(
  thrown: unknown,
  context: HttpContext,
  services: ErrorServices,
): Response | Promise<Response> {
  if (isFault(thrown) && !isDeparture(thrown, context) && context.isNewFault(thrown))
    services.report(explainedThrow(thrown), context)
  const error = isUnsendable(thrown) ? unsendable(thrown) : thrown
  if (error instanceof HttpException) {
    context.failure = error
    if (error.status >= 300 && error.status < 400)
      return withExceptionHeaders(
        new LightResponse(error.status, null, ['content-length', '0']),
        error.headers,
      )
  }
  const pages = errorPages()
  if (!(pages instanceof Promise)) return pages.respondToError(error, context, services)
  return pages.then(
    ({ respondToError }) => respondToError(error, context, services),
    (failure: unknown) => {
      services.report(failure, context)
      return withoutPage(error)
    },
  )
}

// Most likely it is text of the client, so it is no internal error to it.
function unsendable(cause: Error): BadRequestException {
  return new BadRequestException('The request contains a value that cannot be used here', { cause })
}

// The files of the application are gone, replaced by those of a newer version: it still says what happened.
function withoutPage(error: unknown): LightResponse {
  if (!(error instanceof HttpException))
    return refusal({ status: 500, message: 'Something went wrong on our end' }, [])
  return withExceptionHeaders(refusal({ status: error.status, message: toldBy(error) }, []), error.headers)
}
