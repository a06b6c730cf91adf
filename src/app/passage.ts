import { isPromiseLike } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { isResponse } from '../http/internal.ts'
import type { Middleware, Next } from '../http/index.ts'
import type { LateFaults, Step } from './step.ts'
import { type FaultKeeper, HeldPromise } from './held-promise.ts'

/** What is on both sides of a passage. */
export interface PassageParts {
  /** Name of the middleware's class, for messages. */
  readonly name: string
  /** What stands behind the middleware. */
  readonly inner: Step
  /** Takes the faults that nobody will see. */
  readonly onLateFault: LateFaults
}

/**
 * One request at one middleware, and its way to what stands behind. The middleware may answer without waiting for
 * `next()`, wait for it elsewhere, or drop its promise. So that promise rejects only while the middleware has not
 * answered and somebody listens. After that, a fault is reported, and whoever still waits gets the response of the error
 * instead of an exception that would end the process.
 */
export class Passage implements FaultKeeper {
  readonly #parts: PassageParts
  readonly #context: HttpContext
  #isCalled = false
  // What next() gave last, and what came of it so far.
  #given: HeldPromise<Response> | null = null
  #outcome: Promise<Response> | { readonly fault: unknown } | null = null
  #answer: Promise<Response> | null = null
  #hasAnswered = false
  #isAsked = false
  #kept: HeldPromise<unknown>[] | null = null

  /**
   * @param parts What is on both sides.
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
   * @returns Its answer.
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
    // A promise of another library is asked once, for that may be what starts it.
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
    this.#parts.onLateFault(fault, this.#context)
  }

  #next(request: Request | undefined): Promise<Response> {
    const { name, inner } = this.#parts
    if (this.#hasAnswered)
      return this.#failed(new Error(`Cannot go on: ${name} called next() after it had answered`))
    if (this.#isCalled) return this.#failed(new Error(`Cannot go on twice: ${name} called next() again`))
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
    // The most frequent middleware goes on and waits for nothing: then nothing needs to stand between.
    if (answer === this.#given) return this.#passOn()
    this.#given?.start()
    this.#answer = answer
    // One that has not gone on yet could do so after its answer.
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

  // Asked only when something failed, or may come late: every other request pays nothing for it.
  #ask(): void {
    if (this.#answer === null) return
    if (!this.#isAsked) {
      this.#isAsked = true
      const onAnswer = (): void => this.#setAnswered()
      this.#answer.then(onAnswer, onAnswer)
    }
    // An answer that is there already is told in its turn of the queue, which is before this one.
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
