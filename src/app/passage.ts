import { isPromiseLike, sentence } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { isResponse } from '../http/internal.ts'
import type { Middleware, Next } from '../http/index.ts'
import type { LateFaults, Step } from './step.ts'
import { type FaultKeeper, HeldPromise } from './held-promise.ts'

/** What surrounds a middleware. */
export interface PassageParts {
  /** Name of the middleware's class, for messages. */
  readonly name: string
  /** The step after the middleware. */
  readonly inner: Step
  /** Receives errors that would reach nobody. */
  readonly onLateFault: LateFaults
}

/**
 * One request at one middleware, and its path to the next step. The middleware may answer without awaiting `next()`, await it
 * elsewhere, or drop its promise. So that promise rejects only while the middleware has not answered and a listener exists.
 * Afterwards an error is reported, and code that still awaits the promise gets the response for the error instead of an
 * exception that would end the process.
 */
export class Passage implements FaultKeeper {
  readonly #parts: PassageParts
  readonly #context: HttpContext
  #isCalled = false
  // The last promise returned by next(), and its outcome so far.
  #given: HeldPromise<Response> | null = null
  #outcome: Promise<Response> | { readonly fault: unknown } | null = null
  #answer: Promise<Response> | null = null
  #hasAnswered = false
  #isAsked = false
  #kept: HeldPromise<unknown>[] | null = null

  /**
   * @param parts What surrounds the middleware.
   * @param context Context of the request.
   */
  constructor(parts: PassageParts, context: HttpContext) {
    this.#parts = parts
    this.#context = context
  }

  /**
   * Runs the middleware.
   *
   * @param middleware The middleware.
   * @returns Its response.
   */
  run(middleware: Middleware<HttpContext>): Response | Promise<Response> {
    const next: Next = (request) => this.#next(request)
    let answer: Response | Promise<Response>
    try {
      answer = middleware.process(this.#context, next)
    } catch (fault) {
      this.#setAnswered()
      throw fault
    }
    if (answer instanceof Promise) return this.#wait(answer)
    // `then` of another library's promise is called only once, because that may be what starts it.
    if (!isResponse(answer) && isPromiseLike(answer)) return this.#wait(Promise.resolve(answer))
    this.#setAnswered()
    return answer
  }

  keep(promise: HeldPromise<unknown>): void {
    if (this.#hasAnswered) return promise.decide(true)
    this.#kept ??= []
    if (!this.#kept.includes(promise)) this.#kept.push(promise)
    this.#ask()
  }

  report(fault: unknown): void {
    void this.#parts.onLateFault(fault, this.#context)
  }

  #next(request: Request | undefined): Promise<Response> {
    const { name, inner } = this.#parts
    if (this.#hasAnswered)
      return this.#failed(new Error(sentence`Cannot continue: ${name} called next() after it had responded`))
    if (this.#isCalled)
      return this.#failed(new Error(sentence`Cannot continue twice: ${name} called next() again`))
    this.#isCalled = true
    let response: Response | Promise<Response>
    try {
      if (request !== undefined) this.#context.replaceRequest(request)
      response = inner(this.#context)
    } catch (fault) {
      return this.#failed(fault)
    }
    if (!(response instanceof Promise)) return Promise.resolve(response)
    const given = this.#watch(response)
    given.follow(response)
    if (this.#answer !== null) given.start()
    return given
  }

  #failed(fault: unknown): Promise<Response> {
    const given = this.#watch({ fault })
    given.fail(fault)
    return given
  }

  #watch(outcome: Promise<Response> | { readonly fault: unknown }): HeldPromise<Response> {
    const given = new HeldPromise<Response>(this, (fault) => this.#parts.onLateFault(fault, this.#context))
    this.#given?.start()
    this.#given = given
    this.#outcome = outcome
    return given
  }

  #wait(answer: Promise<Response>): Promise<Response> {
    // The most frequent case: the middleware returns the promise of next(), and nothing needs to be tracked.
    if (answer === this.#given) return this.#passOn()
    this.#given?.start()
    this.#answer = answer
    // A middleware that has not called next() could still do so after it has answered.
    if (!this.#isCalled || this.#kept !== null) this.#ask()
    return answer
  }

  #passOn(): Promise<Response> {
    const { given, outcome } = { given: this.#given, outcome: this.#outcome }
    this.#given = null
    if (this.#kept !== null) this.#kept = this.#kept.filter((promise) => promise !== given)
    if (outcome instanceof Promise) {
      this.#answer = outcome
      if (this.#kept !== null) this.#ask()
      return outcome
    }
    this.#setAnswered()
    throw outcome?.fault
  }

  // Only after a failure, or when a call may come late: every other request skips it.
  #ask(): void {
    if (this.#answer === null) return
    if (!this.#isAsked) {
      this.#isAsked = true
      const onAnswer = (): void => this.#setAnswered()
      this.#answer.then(onAnswer, onAnswer)
    }
    // A response that is already available settles in an earlier microtask than this one.
    if (this.#kept !== null) queueMicrotask(() => this.#decide())
  }

  #setAnswered(): void {
    this.#hasAnswered = true
    this.#given?.start()
    this.#decide()
  }

  #decide(): void {
    const kept = this.#kept
    if (kept === null) return
    this.#kept = this.#hasAnswered ? null : kept.filter((promise) => !promise.isHandled)
    for (const promise of kept) promise.decide(this.#hasAnswered)
  }
}
