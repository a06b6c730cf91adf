import { HttpContext } from '../context/index.ts'
import { sentence, whenReady } from '../core/internal.ts'
import { cancelBody, LightResponse, redirectResponse, type RequestSource } from '../http/internal.ts'
import {
  MethodNotAllowedException,
  BadRequestException,
  type Middleware,
  type MiddlewareClass,
  NotFoundException,
} from '../http/index.ts'
import type { RouteMatch } from '../routing/index.ts'
import { type BodyCeiling, bodyLimitsOf, type RouteTarget } from '../routing/internal.ts'
import { dispatcher } from './dispatcher.ts'
import { ErrorAnswers } from './error-answers.ts'
import type { KernelParts } from './kernel-parts.ts'
import type { IncomingEntry } from './middleware-bands.ts'
import type { Layer } from './pipeline.ts'
import { tellRefusal } from './refusal-events.ts'
import { ResponseExit } from './response-exit.ts'
import { isSendable, noResponse } from './sendable-response.ts'
import type { Commit } from './cookie-commit.ts'
import type { LateFaults, Step } from './step.ts'
import { withWholeBody } from './whole-body.ts'

const MALFORMED_TARGET = 'The address of the request is malformed'

/**
 * The request cycle of a booted application. Pipelines are composed once, and only promises are awaited: a request that
 * needs no storage is answered in the same tick.
 */
export class Kernel {
  readonly #parts: KernelParts
  readonly #incoming: Step
  readonly #routed: Step
  readonly #dispatch: Step
  readonly #composer = (target: RouteTarget): Step => this.#compose(target)
  readonly #errors: ErrorAnswers
  readonly #onLateFault: LateFaults = (fault, context) => this.#errors.answerPlainly(fault, context)
  // Runs for every response: session and cookies first, then headers, then the outgoing band.
  readonly #commit: Commit
  readonly #exit: ResponseExit

  /**
   * @param parts The parts of the kernel.
   */
  constructor(parts: KernelParts) {
    this.#parts = parts
    const { container, bands, context } = parts
    this.#errors = new ErrorAnswers(parts.errors)
    this.#commit = parts.commit
    this.#exit = new ResponseExit(parts, this.#errors, this.#commit)
    const { report, messages } = parts.errors
    const { limits } = context
    this.#dispatch = dispatcher({
      container,
      render: parts.render,
      limits,
      report,
      messages,
      withinTime: parts.withinTime,
    })
    this.#routed = this.#around((current) => this.#enterRoute(current), bands.routed)
    const incoming = this.#around((current) => this.#route(current), bands.incoming)
    const { crossOrigin } = parts
    // Before gates: a preflight has no credentials.
    this.#incoming =
      crossOrigin === null ? incoming : (current) => crossOrigin.preflight(current) ?? incoming(current)
  }

  /**
   * @param source The request as an adapter received it.
   * @returns Its context.
   */
  contextOf(source: RequestSource): HttpContext {
    return new HttpContext(source, this.#parts.context)
  }

  /**
   * Runs one request.
   *
   * @param source The request as an adapter received it.
   * @param context Its context. Default: a new one.
   * @returns The response; never throws and never rejects.
   */
  handle(source: RequestSource, context: HttpContext = this.contextOf(source)): Response | Promise<Response> {
    this.#parts.watch?.begin(context)
    return source.bodyLength === 0 ? this.#run(context) : this.#runWithBody(source, context)
  }

  /**
   * Runs a request to leave HTTP.
   *
   * @param source The request as an adapter received it.
   * @returns Its response and its context.
   */
  admit(source: RequestSource): { context: HttpContext; response: Response | Promise<Response> } {
    const context = this.contextOf(source)
    this.#parts.watch?.expectUpgrade(context)
    return { context, response: this.handle(source, context) }
  }

  /**
   * Reports a response that an adapter made in place of the application.
   *
   * @param source The request.
   * @param response The response.
   */
  reportRefusal(source: RequestSource, response: LightResponse): void {
    const context = this.contextOf(source)
    tellRefusal(response.status, context)
    this.#parts.watch?.watch(response, context)
  }

  #run(context: HttpContext): Response | Promise<Response> {
    try {
      const response = this.#incoming(context)
      if (response instanceof Promise) return this.#endLater(response, context)
      return this.#end(this.#taken(response, context), context)
    } catch (error) {
      return this.#end(this.#errors.answer(error, context), context)
    }
  }

  #end(response: Response | Promise<Response>, context: HttpContext): Response | Promise<Response> {
    if (response instanceof Promise) return this.#endLater(response, context)
    let finished: Response | Promise<Response>
    try {
      finished = this.#commit.finish(response, context)
    } catch (error) {
      return this.#endRefused(error, response, context)
    }
    if (finished instanceof Promise) return this.#finishLater(finished, response, context)
    return this.#leave(finished, context)
  }

  // One async function awaits everything: returning a promise from another async function costs three microtasks.
  async #endLater(pending: Promise<Response>, context: HttpContext): Promise<Response> {
    let response: Response
    try {
      response = this.#taken(await pending, context)
    } catch (error) {
      response = await this.#errors.answer(error, context)
    }
    let finished: Response
    try {
      const finishing = this.#commit.finish(response, context)
      finished = finishing instanceof Promise ? await finishing : finishing
    } catch (error) {
      return this.#endRefused(error, response, context)
    }
    return this.#leave(finished, context)
  }

  async #finishLater(
    finishing: Promise<Response>,
    response: Response,
    context: HttpContext,
  ): Promise<Response> {
    let finished: Response
    try {
      finished = await finishing
    } catch (error) {
      return this.#endRefused(error, response, context)
    }
    return this.#leave(finished, context)
  }

  // The session could not be kept: an error page takes the place of the response.
  async #endRefused(error: unknown, response: Response, context: HttpContext): Promise<Response> {
    try {
      cancelBody(LightResponse.from(response))
      const page = await this.#errors.answer(error, context)
      return await this.#leave(await this.#commit.finishRefused(page, error, context), context)
    } catch (failure) {
      return this.#endBadly(failure, context)
    }
  }

  #leave(response: Response, context: HttpContext): Response | Promise<Response> {
    try {
      const left = this.#exit.leave(response, context)
      return left instanceof Promise ? left.catch((error: unknown) => this.#endBadly(error, context)) : left
    } catch (error) {
      return this.#endBadly(error, context)
    }
  }

  // What the store has confirmed for the response that could not leave is taken back.
  #endBadly(error: unknown, context: HttpContext): Response | Promise<Response> {
    const page = this.#exit.endBadly(error, context)
    if (context.openedSession() === null) return page
    return whenReady(page, (made) =>
      this.#commit.takeBack(made, context).catch((failure: unknown) => this.#exit.endBadly(failure, context)),
    )
  }

  // A body over the limit is refused even if nothing reads it.
  #runWithBody(source: RequestSource, context: HttpContext): Response | Promise<Response> {
    try {
      const ceiling = this.#bodyCeiling(context)
      if (ceiling.takesFiles) context.streamForm()
      context.limitBody(ceiling)
    } catch (error) {
      return this.#end(this.#errors.answer(error, context), context)
    }
    if (source.bodyLength !== null) return this.#run(context)
    return this.#endLater(withWholeBody(source, { context, make: () => this.#incoming(context) }), context)
  }

  // The route says how much it takes, and a middleware before routing may read the body.
  #bodyCeiling(context: HttpContext): BodyCeiling {
    const { router, limits } = this.#parts.context
    try {
      return router.bodyCeiling(context.method(), context.path(), limits.bodyBytes)
    } catch {
      // A table that cannot be compiled: routing finds that too, and its error is reported.
      return { bytes: limits.bodyBytes, keptBytes: limits.bodyBytes, milliseconds: null, takesFiles: false }
    }
  }

  // A response that cannot be sent is found before the session is committed, while it can still become an error.
  #taken(response: Response, context: HttpContext): LightResponse {
    if (!isSendable(response)) throw noResponse(context)
    const light = this.#errors.take(response, context)
    // The application may reuse the response for other clients, and these cookies belong to one.
    return context.openedSession() === null && context.openedCookies() === null ? light : light.detached()
  }

  #route(context: HttpContext): Response | Promise<Response> {
    // A query may contain a backslash, but a `Location` header may not; `serve()` refuses it earlier.
    if (context.query().includes('\\')) throw new BadRequestException(MALFORMED_TARGET)
    const match = this.#parts.context.router.resolve(context.method(), context.path())
    return match instanceof Promise
      ? match.then((found) => this.#follow(found, context))
      : this.#follow(match, context)
  }

  #follow(match: RouteMatch, context: HttpContext): Response | Promise<Response> {
    switch (match.kind) {
      case 'found':
        context.routeTo(match.route)
        this.#limitBody(context)
        return this.#routed(context)
      case 'redirect': {
        const query = context.query()
        const response = redirectResponse(query === '' ? match.location : `${match.location}?${query}`, 308)
        response.append('cache-control', 'no-cache')
        return response
      }
      case 'methodNotAllowed':
        throw new MethodNotAllowedException(match.allowed)
      case 'badRequest':
        throw new BadRequestException(MALFORMED_TARGET)
      default:
        throw new NotFoundException()
    }
  }

  #limitBody(context: HttpContext): void {
    if (context.source().bodyLength === 0 && context.received().bodyLength === 0) return
    const { target } = context.route()
    if (target.action.upload === null) context.gatherForm()
    else context.streamForm()
    context.limitBody(bodyLimitsOf(target, this.#parts.context.limits.bodyBytes))
  }

  #enterRoute(context: HttpContext): Response | Promise<Response> {
    const { target } = context.route()
    // Composed on the first match of a declaration and stored on it.
    return target.built(this.#composer)(context)
  }

  #compose({ middlewares }: RouteTarget): Step {
    const entries = middlewares.map((middleware) => ({ middleware, priority: 0, when: null }))
    return this.#around(this.#dispatch, entries)
  }

  #around(last: Step, entries: readonly IncomingEntry[]): Step {
    if (entries.length === 0) return last
    const { compose } = this.#parts
    // The boot has found every middleware. Without what runs it, nothing behind it may be reached.
    if (compose === null)
      throw new Error(sentence`Cannot run middlewares: nothing had one when the application booted`)
    const layers = entries.map((entry) => this.#layer(entry))
    return compose(layers, last, this.#onLateFault)
  }

  #layer(entry: IncomingEntry): Layer {
    const given = entry.middleware
    const middleware = (
      typeof given === 'function' ? this.#parts.container.get<Middleware>(given) : given
    ) as Middleware<HttpContext>
    return { middleware, type: middleware.constructor as MiddlewareClass, when: entry.when }
  }
}
